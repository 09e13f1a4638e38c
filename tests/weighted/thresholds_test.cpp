// Curves and levels straight from the forest, against the definition and against those of its hierarchy, which sorts all edges.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "weighted.hpp"

namespace copse::test {
namespace {

using columns = std::tuple<double, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<columns> columns_of(const std::vector<threshold_point>& curve) {
  std::vector<columns> all;
  for (const auto& p : curve)
    all.emplace_back(p.threshold, p.components, p.largest, p.singletons, p.median, p.percentile_90, p.percentile_99, p.pairs);
  return all;
}

/// What is true of the components of all edges that are at least `threshold`: classes are written out, sizes are sorted.
template <class Weight>
columns by_definition(coo_view<std::uint32_t> g, const std::vector<Weight>& weights, double threshold) {
  std::vector<std::uint32_t> classes(g.vertex_count), sizes(g.vertex_count);
  std::iota(classes.begin(), classes.end(), 0u);
  for (std::size_t i = 0; i < g.edges.size(); ++i) {
    const auto from = classes[g.edges[i].u], to = classes[g.edges[i].v];
    if (static_cast<double>(weights[i]) >= threshold && from != to) std::ranges::replace(classes, from, to);
  }
  for (const std::uint32_t c : classes) ++sizes[c];
  std::erase(sizes, 0u);
  std::ranges::sort(sizes);
  const auto percentile = [&](std::size_t percent) -> std::uint64_t {
    return sizes.empty() ? 0 : sizes[std::max<std::size_t>((sizes.size() * percent + 99) / 100, 1) - 1];
  };
  std::uint64_t pairs = 0;
  for (const std::uint64_t size : sizes) pairs += size * (size - 1) / 2;
  return {threshold,
          sizes.size(),
          sizes.empty() ? 0 : sizes.back(),
          static_cast<std::uint64_t>(std::ranges::count(sizes, 1u)),
          percentile(50),
          percentile(90),
          percentile(99),
          pairs};
}

TEST(thresholds, are_true_of_the_graph) {
  for (const zoo_graph& animal : zoo(43)) {
    if (animal.edges.vertex_count > 300) continue;
    for (const weighting& how : weightings()) {
      const auto weights = weights_for<double>(animal.edges.view(), how);
      const auto forest = weighted_forest(animal.edges.view(), weights_view{std::span{weights}}, {.goal = forest_goal::maximum});
      std::vector<double> thresholds = threshold_levels(forest.weights.view(), 9);
      thresholds.insert(thresholds.end(), {2.5, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()});
      std::vector<columns> expected;
      for (const double t : thresholds) expected.push_back(by_definition(animal.edges.view(), weights, t));
      for (const unsigned threads : {1u, 2u, 5u}) {
        EXPECT_EQ(columns_of(threshold_curve(forest.edges, forest.weights.view(), thresholds, {.threads = threads})), expected)
            << animal.name << ", " << how.name << ", threads " << threads;
      }
    }
  }
}

void expect_as_hierarchy(const graph& forest, weights_view weights, const std::string& what) {
  const hierarchy joined{forest, weights};
  for (const unsigned threads : {1u, 3u, 8u}) {
    const execution how{.threads = threads};
    EXPECT_EQ(threshold_levels(weights, how), joined.levels()) << what;
    for (const std::uint64_t count : {1u, 2u, 7u, 100u, 5000u})
      EXPECT_EQ(threshold_levels(weights, count, how), joined.levels(count)) << what;
    for (const std::uint64_t count : {0u, 10u, 4000u, 5000u}) {
      std::vector<double> thresholds = joined.levels(count);
      thresholds.insert(thresholds.end(), {.5, 1e300, .5, -1e300, 3, -std::numeric_limits<double>::infinity()});
      std::rotate(thresholds.begin(), thresholds.begin() + static_cast<std::ptrdiff_t>(thresholds.size() / 3), thresholds.end());
      EXPECT_EQ(columns_of(threshold_curve(forest, weights, thresholds, how)), columns_of(joined.curve(thresholds)))
          << what << ", " << count;
    }
  }
}

TEST(thresholds, of_a_forest_are_those_of_its_hierarchy) {
  for (const zoo_graph& animal : zoo(41)) {
    if (animal.edges.vertex_count > 1300) continue;
    for (const weighting& how : weightings()) {
      const auto weights = weights_for<double>(animal.edges.view(), how);
      const auto forest = weighted_forest(animal.edges.view(), weights_view{std::span{weights}}, {.goal = forest_goal::maximum});
      expect_as_hierarchy(forest.edges, forest.weights.view(), animal.name + ", " + how.name);
    }
  }
}

template <class Weight>
void expect_of_trees(std::uint32_t vertices, std::function<std::uint32_t(std::uint32_t)> parent,
                     std::function<Weight(std::uint32_t)> weight, const std::string& what) {
  std::vector<edge<std::uint32_t>> edges;
  std::vector<Weight> weights;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (parent(v) == v) continue;
    edges.push_back({v, parent(v)});
    weights.push_back(weight(v));
  }
  buffer<edge<std::uint32_t>> held{edges.size()};
  std::ranges::copy(edges, held.begin());
  expect_as_hierarchy(graph{coo<std::uint32_t>{vertices, std::move(held)}}, weights_view{std::span<const Weight>{weights}}, what);
}

// More weights than one bucket of levels has, some of which come very often, and components beyond the sizes that are counted in arrays.
TEST(thresholds, of_large_forests_are_those_of_their_hierarchies) {
  zoo_detail::dice random{42};
  std::vector<std::uint32_t> parents(60'000), numbers(parents.size());
  for (std::uint32_t v = 0; v < parents.size(); ++v) {
    parents[v] = v == 0 || v % 20'000 == 7 ? v : random.below(v);
    numbers[v] = random.below(1u << 30);
  }
  const auto random_parent = [&](std::uint32_t v) { return parents[v]; };
  const auto chains_of_600 = [](std::uint32_t v) { return v % 600 == 0 ? v : v - 1; };
  const auto stars_of_2000 = [](std::uint32_t v) { return v / 2000 * 2000; };
  // Two that grow at once, so that the largest tree is now one and now the other, and goes below the other in the end.
  const auto two_giants = [&](std::uint32_t v) { return v < 2 ? 0 : v == 59'999 ? 1 : v % 2; };
  const auto in_turns = [](std::uint32_t v) { return v == 59'999 || v < 2 ? -1e9 : -static_cast<double>(v / 200 * 200 + v % 2 * 100); };
  const auto distinct = [&](std::uint32_t v) { return numbers[v] / 1e6 - 300; };
  const auto repeated = [&](std::uint32_t v) { return numbers[v] % 3 == 0 ? numbers[v] / 1e6 : static_cast<double>(numbers[v] % 5); };
  const auto chain_by_chain = [](std::uint32_t v) { return 1e9 - v; };
  expect_of_trees<double>(60'000, random_parent, distinct, "random trees, distinct weights");
  expect_of_trees<double>(60'000, random_parent, repeated, "random trees, repeated weights");
  expect_of_trees<double>(60'000, two_giants, in_turns, "two giants");
  expect_of_trees<float>(60'000, chains_of_600, repeated, "chains, repeated weights");
  expect_of_trees<double>(60'000, chains_of_600, chain_by_chain, "chains, one after another");
  expect_of_trees<std::int32_t>(
      60'000, stars_of_2000, [&](std::uint32_t v) { return static_cast<std::int32_t>(numbers[v]) - (1 << 29); }, "stars, integers");
  expect_of_trees<std::uint64_t>(
      60'000, stars_of_2000, [](std::uint32_t) { return 5u; }, "stars, one weight");
  expect_of_trees<double>(
      60'000, chains_of_600, [](std::uint32_t v) { return v % 2 == 0 ? 0.0 : -0.0; }, "chains, zeros of both signs");
}

TEST(thresholds, refuse_what_hierarchies_refuse) {
  const auto list = [](std::vector<edge<std::uint32_t>> edges) {
    buffer<edge<std::uint32_t>> held{edges.size()};
    std::ranges::copy(edges, held.begin());
    return graph{coo<std::uint32_t>{3, std::move(held)}};
  };
  const graph tree = list({{0, 1}, {1, 2}}), cycle = list({{0, 1}, {1, 2}, {2, 0}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> two{1, 2}, three{1, 2, 3}, bad{1, nan}, at{1.5}, none, no_number{nan};
  EXPECT_EQ(threshold_curve(tree, std::span{two}, at).front().components, 2u);
  EXPECT_TRUE(threshold_curve(tree, std::span{two}, none).empty());
  EXPECT_THROW(static_cast<void>(threshold_curve(tree, std::span{two}, no_number)), usage_error);
  EXPECT_THROW(static_cast<void>(threshold_curve(tree, std::span{three}, at)), usage_error);
  EXPECT_THROW(static_cast<void>(threshold_curve(tree, std::span{bad}, at)), input_error);
  EXPECT_THROW(static_cast<void>(threshold_levels(std::span{bad})), input_error);
  EXPECT_THROW(static_cast<void>(threshold_curve(cycle, std::span{three}, std::vector<double>{0})), usage_error);
  EXPECT_TRUE(threshold_levels(std::span{none}).empty());
}

}  // namespace
}  // namespace copse::test
