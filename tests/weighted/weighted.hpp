// What the tests of weighted graphs share: ways to weight the zoo, a reference by the definition, and forests as sets.
#pragma once
#include <copse/weighted_forest.hpp>
#include <support/rows.hpp>
#include <support/zoo.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace copse::test {

/// How edges get weights; the same edge gets the same weight in either direction, but repeats of it may differ where `by_place` is set.
struct weighting {
  std::string name;
  double (*weight)(std::uint64_t hash);
};

inline std::vector<weighting> weightings() {
  using limits = std::numeric_limits<double>;
  return {{"distinct", [](std::uint64_t hash) { return static_cast<double>(hash >> 40); }},
          {"equal", [](std::uint64_t) { return 7.0; }},
          {"few", [](std::uint64_t hash) { return static_cast<double>(hash >> 62); }},
          {"negative", [](std::uint64_t hash) { return static_cast<double>(static_cast<std::int64_t>(hash) >> 44); }},
          {"zeros", [](std::uint64_t hash) { return (hash >> 63) != 0 ? 0.0 : -0.0; }},
          {"infinite", [](std::uint64_t hash) {
             return (hash >> 62) == 0 ? limits::infinity() : (hash >> 62) == 1 ? -limits::infinity() : static_cast<double>(hash >> 60);
           }}};
}

inline std::uint64_t hash_of(edge<std::uint32_t> e) {
  std::uint64_t x = (std::uint64_t{std::min(e.u, e.v)} << 32 | std::max(e.u, e.v)) * 0x9E3779B97F4A7C15u;
  x ^= x >> 31;
  return x * 0xD6E8FEB86659FD93u;
}

template <class Weight>
std::vector<Weight> weights_for(coo_view<std::uint32_t> g, const weighting& how) {
  std::vector<Weight> weights;
  for (const auto e : g.edges) weights.push_back(static_cast<Weight>(how.weight(hash_of(e))));
  return weights;
}

/// (u, v, weight) with u <= v, ascending.
using weighted_set = std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>;

/// By the definition: all edges sorted by (weight, smaller end, larger end), each kept that joins two classes of vertices.
template <class Weight>
weighted_set reference_weighted_forest(coo_view<std::uint32_t> g, const std::vector<Weight>& weights, forest_goal goal) {
  std::vector<std::size_t> order(g.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto low = [&](std::size_t i) { return std::min(g.edges[i].u, g.edges[i].v); };
  const auto high = [&](std::size_t i) { return std::max(g.edges[i].u, g.edges[i].v); };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (weights[a] != weights[b]) return goal == forest_goal::minimum ? weights[a] < weights[b] : weights[a] > weights[b];
    return std::pair{low(a), high(a)} < std::pair{low(b), high(b)};
  });
  std::vector<std::uint32_t> classes(g.vertex_count);
  std::iota(classes.begin(), classes.end(), 0u);
  weighted_set forest;
  for (const std::size_t i : order) {
    const auto from = classes[high(i)], to = classes[low(i)];
    if (from == to) continue;
    std::ranges::replace(classes, from, to);
    forest.emplace_back(low(i), high(i), static_cast<double>(weights[i]));
  }
  std::ranges::sort(forest);
  return forest;
}

inline weighted_set set_of(const weighted_forest_result& found) {
  weighted_set forest;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            const std::uint64_t u = shape.edges[i].u, v = shape.edges[i].v;
            forest.emplace_back(std::min(u, v), std::max(u, v), found.weights[i]);
          }
        }
      },
      found.edges.shape());
  std::ranges::sort(forest);
  return forest;
}

}  // namespace copse::test
