// The pairs of components that break a constraint, taken one by one. Each component is the work of one thread.
#pragma once
#include <clusters/growing_clusters.hpp>
#include <clusters/level.hpp>
#include <copse/errors.hpp>
#include <core/radix_sort.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace copse::clusters {

struct refused_union {
  std::uint64_t key, u, v;
  std::uint32_t limit;
  cluster_constraint constraint;
};

template <unsigned_index Id>
struct unions {
  pairs_of<Id> forest;                      ///< the pairs that united two clusters, and the forest of the components that break nothing
  std::pmr::vector<refused_union> refused;  ///< in the order in which pairs are taken; repeated pairs once
};

/// The pairs of each component that breaks a constraint side by side: component c has those from begins[c] to begins[c + 1].
template <unsigned_index Id>
struct grouped_pairs {
  buffer<scored_pair<Id>> pairs;
  std::vector<std::size_t> begins;
};

template <unsigned_index Id>
grouped_pairs<Id> grouped(const level<Id>& at, std::span<const scored_pair<Id>> pairs, std::pmr::memory_resource* memory) {
  const std::size_t n = at.components.size();
  buffer<Id> groups{n, memory};  // the group of each label
  std::size_t count = 0;
  for (std::size_t v = 0; v < n; ++v) groups[v] = at.broken[v] != 0 ? static_cast<Id>(count++) : no_vertex<Id>;
  grouped_pairs<Id> all;
  all.begins.assign(count + 2, 0);  // shifted by one while pairs are put in their places
  for (const auto& p : pairs) {
    if (at.wants(p)) ++all.begins[groups[at.components[p.u]] + std::size_t{2}];
  }
  for (std::size_t c = 2; c < all.begins.size(); ++c) all.begins[c] += all.begins[c - 1];
  all.pairs = buffer<scored_pair<Id>>{all.begins.back(), memory};
  for (const auto& p : pairs) {
    if (at.wants(p)) all.pairs[all.begins[groups[at.components[p.u]] + std::size_t{1}]++] = p;
  }
  all.begins.pop_back();
  return all;
}

/// Puts refused pairs in order and drops repeats.
inline void put_in_order(std::pmr::vector<refused_union>& refused, unsigned threads) {
  const auto by_ends = [](const refused_union& a, const refused_union& b) { return std::tie(a.u, a.v, a.key) < std::tie(b.u, b.v, b.key); };
  radix_sort(std::span{refused}, &refused_union::u, by_ends, threads);
  const auto same_ends = [](const refused_union& a, const refused_union& b) { return a.u == b.u && a.v == b.v; };
  refused.erase(std::unique(refused.begin(), refused.end(), same_ends), refused.end());
  const auto by_score = [](const refused_union& a, const refused_union& b) {
    return std::tie(a.key, a.u, a.v) < std::tie(b.key, b.u, b.v);
  };
  radix_sort(std::span{refused}, &refused_union::key, by_score, threads);
}

/// `pairs`: all that at.wants(), and others. Leaves `at` without its forest.
template <unsigned_index Id>
unions<Id> unite_one_by_one(level<Id>& at, const constraints& limits, std::span<const scored_pair<Id>> pairs, const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  unions<Id> done{std::move(at.forest), std::pmr::vector<refused_union>{on.memory}};
  std::erase_if(done.forest, [&](const auto& p) { return at.is_broken(p.u); });
  grouped_pairs<Id> groups = grouped(at, pairs, on.memory);
  const std::size_t count = groups.begins.size() - 1;
  const auto of = [&](std::size_t c) { return groups.pairs.span().subspan(groups.begins[c], groups.begins[c + 1] - groups.begins[c]); };
  constexpr std::size_t large = std::size_t{1} << 16;
  std::vector<std::size_t> order;  // large components first: they take longest, and all threads sort their pairs
  for (std::size_t c = 0; c < count; ++c) {
    if (of(c).size() < large) continue;
    radix_sort(of(c), &scored_pair<Id>::key, std::less<>{}, threads);
    order.push_back(c);
  }
  for (std::size_t c = 0; c < count; ++c) {
    if (of(c).size() < large) order.push_back(c);
  }
  cluster_forest<Id> clusters{limits, std::as_const(at.components).span(), on.memory};
  struct alignas(64) found {
    pairs_of<Id> accepted;
    std::pmr::vector<refused_union> refused;
  };
  std::vector<found> workers;
  for (unsigned w = 0; w < threads; ++w) workers.push_back({pairs_of<Id>{on.memory}, std::pmr::vector<refused_union>{on.memory}});
  std::atomic<std::size_t> next{0};
  on_workers(threads, [&](unsigned number) {
    found& own = workers[number];
    typename cluster_forest<Id>::worker worker{clusters};
    for (std::size_t i = next++; i < order.size(); i = next++) {
      if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
      const auto component = of(order[i]);
      if (component.size() < large) std::ranges::sort(component);
      worker.next_component();
      for (const auto& p : component) {
        worker.take(
            p.u, p.v, [&] { own.accepted.push_back(p); },
            [&](const auto& why) {
              own.refused.push_back({p.key, p.u, p.v, static_cast<std::uint32_t>(why.limit), why.constraint});
            });
      }
    }
  });
  for (const found& own : workers) {
    done.forest.insert(done.forest.end(), own.accepted.begin(), own.accepted.end());
    done.refused.insert(done.refused.end(), own.refused.begin(), own.refused.end());
  }
  put_in_order(done.refused, threads);
  return done;
}

}  // namespace copse::clusters
