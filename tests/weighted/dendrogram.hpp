// Forests whose dendrograms are known from a sweep by one thread: hierarchy::linkage().
#pragma once
#include <gtest/gtest.h>
#include <copse/generate.hpp>
#include <copse/hierarchy.hpp>
#include <copse/weighted_forest.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weighted.hpp"

namespace copse::test {

inline void expect_the_sweep(const graph& forest, weights_view weights, std::optional<double> top, const execution& on,
                             const std::string& what) {
  const auto expected = hierarchy{forest, weights}.linkage(top);
  const auto found = dendrogram(forest, weights, top, on);
  ASSERT_EQ(found.merges.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto &e = expected[i], &f = found.merges[i];
    ASSERT_TRUE(e.first == f.first && e.second == f.second && e.height == f.height && e.size == f.size)
        << what << ", row " << i << ": found " << f.first << ' ' << f.second << ' ' << f.height << ' ' << f.size << ", expected " << e.first
        << ' ' << e.second << ' ' << e.height << ' ' << e.size;
  }
}

/// The zoo's maximum spanning forests, with all finite ways to weight them.
inline void expect_the_sweep_on_the_zoo(const execution& on) {
  for (const zoo_graph& animal : zoo(8)) {
    const coo_view<std::uint32_t> g = animal.edges.view();
    if (g.vertices() == 0) continue;
    for (const weighting& how : weightings()) {
      if (how.name == "infinite") continue;
      const auto weights = weights_for<double>(g, how);
      const auto forest = weighted_forest(g, weights_view{std::span{weights}}, {.goal = forest_goal::maximum}, {.threads = 2});
      expect_the_sweep(forest.edges, forest.weights.view(), std::nullopt, on, animal.name + ", " + how.name);
    }
  }
}

/// Larger forests: chains that are long in the first level, deep and shallow trees, many components, weights of every type.
inline void expect_the_sweep_on_large_forests(std::optional<double> top, const execution& on) {
  const auto with = [&]<class Weight>(const std::string& spec, Weight (*weight)(std::uint64_t, std::uint64_t)) {
    const graph g = gen::generate_edges(spec);
    std::vector<Weight> weights;
    std::visit(
        [&](const auto& shape) {
          if constexpr (requires { shape.edges; }) {
            for (const auto e : shape.edges) weights.push_back(weight(std::min(e.u, e.v), std::max(e.u, e.v)));
          }
        },
        g.shape());
    const auto forest = weighted_forest(g.view(), std::span<const Weight>{weights}, {.goal = forest_goal::maximum}, {.threads = 2});
    expect_the_sweep(forest.edges, forest.weights.view(), top, on, spec);
  };
  const auto drawn = +[](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>(hash_of(edge<std::uint32_t>{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)}) >> 40);
  };
  const auto few = +[](std::uint64_t a, std::uint64_t b) { return static_cast<float>((a + b) % 5); };
  const auto rising = +[](std::uint64_t a, std::uint64_t) { return static_cast<double>(a); };
  const auto falling = +[](std::uint64_t a, std::uint64_t) { return -static_cast<std::int64_t>(a); };
  for (const char* spec : {"er:n=60000,m=150000", "osm:side=100,keep=.6", "star:n=30000", "path:n=50000", "rmat:scale=15,edges=4"}) {
    with.template operator()<std::uint32_t>(spec, drawn);
    with.template operator()<float>(spec, few);
    with.template operator()<double>(spec, rising);
    with.template operator()<std::int64_t>(spec, falling);
  }
}

}  // namespace copse::test
