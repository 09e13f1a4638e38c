// What tests of list ranking share: lists, and ranks as a child would count them.
#pragma once
#include <copse/generate.hpp>
#include <copse/list_ranking.hpp>
#include <copse/variants.hpp>

#include <string>
#include <vector>

namespace copse::test {

template <class Id>
std::vector<Id> list_of(const std::string& spec) {
  std::vector<Id> list;
  std::visit([&](const auto& generated) { list.assign(generated.begin(), generated.end()); }, gen::generate_list(spec));
  return list;
}

/// Ranks to the end or from the head, weights put together by `together`; a tail follows itself or is all ones.
template <class Id, class V, class Together>
std::vector<V> expected_ranks(const std::vector<Id>& successors, const std::vector<V>& weights, rank_origin from, Together together) {
  const std::size_t n = successors.size();
  std::vector<bool> follows(n);
  const auto ends = [&](std::size_t e) { return successors[e] == e || successors[e] == no_vertex<Id>; };
  for (std::size_t e = 0; e < n; ++e) {
    if (!ends(e)) follows[successors[e]] = true;
  }
  std::vector<V> ranks(n);
  for (std::size_t head = 0; head < n; ++head) {
    if (follows[head]) continue;
    std::vector<std::size_t> order{head};
    while (!ends(order.back())) order.push_back(successors[order.back()]);
    if (from == rank_origin::end) order = {order.rbegin(), order.rend()};
    V total = weights[order[0]];
    ranks[order[0]] = total;
    for (std::size_t i = 1; i < order.size(); ++i) ranks[order[i]] = total = together(total, weights[order[i]]);
  }
  return ranks;
}

/// Counts of links: every element but the first weighs 1.
template <class Id>
std::vector<Id> expected_counts(const std::vector<Id>& successors, rank_origin from) {
  std::vector<Id> weights(successors.size(), Id{1});
  if (from == rank_origin::end) {
    for (std::size_t e = 0; e < successors.size(); ++e) {
      if (successors[e] == e || successors[e] == no_vertex<Id>) weights[e] = 0;
    }
  } else {
    std::vector<bool> follows(successors.size());
    for (std::size_t e = 0; e < successors.size(); ++e) {
      if (successors[e] != e && successors[e] != no_vertex<Id>) follows[successors[e]] = true;
    }
    for (std::size_t e = 0; e < successors.size(); ++e) {
      if (!follows[e]) weights[e] = 0;
    }
  }
  return expected_ranks(successors, weights, from, [](Id a, Id b) { return static_cast<Id>(a + b); });
}

inline bool is_on_cpu(const variant_info& v) { return v.backend == "serial" || v.backend == "threads"; }

inline constexpr rank_origin both_origins[] = {rank_origin::end, rank_origin::head};

template <class T>
std::vector<T> as_vector(const buffer<T>& from) {
  return {from.begin(), from.end()};
}

}  // namespace copse::test
