// Dendrograms by recursive contraction are those of the sweep, row for row, for any number of threads.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <loops/threads.hpp>
#include <weighted/dendrogram/host_machine.hpp>
#include <weighted/dendrogram/merge_tree.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dendrogram.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

TEST(dendrogram, is_that_of_the_sweep_on_the_zoo) {
  for (const unsigned threads : {1u, 4u}) expect_the_sweep_on_the_zoo({.threads = threads});
}

TEST(dendrogram, is_that_of_the_sweep_on_large_forests) {
  for (const unsigned threads : {1u, 4u}) expect_the_sweep_on_large_forests(1e9, {.threads = threads});
}

TEST(dendrogram, of_a_graph_without_vertices_has_no_merges) {
  const backend::threads loops{4};
  const weighted::host_machine<backend::threads> machine{loops, host_memory()};
  weighted::merge_tree<weighted::host_machine<backend::threads>, std::uint32_t> tree{machine, 0, 0, nullptr, nullptr};
  tree.write_sizes(nullptr, nullptr);
}

// Thresholds ask for the sizes alone.
TEST(dendrogram, knows_the_sizes_of_both_clusters) {
  const graph g = gen::generate_edges("osm:side=60,keep=.6");
  const auto list = std::get<coo_view<std::uint32_t>>(g.view());
  const auto weights = weights_for<double>(list, weightings().front());
  const auto forest = weighted_forest(list, weights_view{std::span{weights}}, {.goal = forest_goal::maximum}, {.threads = 1});
  const auto edges = std::get<coo_view<std::uint32_t>>(forest.edges.view());
  const auto merges = hierarchy{forest.edges, forest.weights.view()}.linkage();
  const backend::threads loops{4};
  const weighted::host_machine<backend::threads> machine{loops, host_memory()};
  const auto order = weighted::in_merge_order(loops, edges, std::get<std::span<const double>>(forest.weights.view()), host_memory());
  std::vector<std::uint32_t> u, v, sizes(order.size()), parts(order.size());
  for (const auto& e : order) {
    u.push_back(e.u);
    v.push_back(e.v);
  }
  weighted::merge_tree<weighted::host_machine<backend::threads>, std::uint32_t>{machine, edges.vertices(), u.size(), u.data(), v.data()}
      .write_sizes(sizes.data(), parts.data());
  const auto size_of = [&](double cluster) {
    return cluster < edges.vertices() ? 1 : merges[static_cast<std::size_t>(cluster) - edges.vertices()].size;
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(sizes[i], merges[i].size) << i;
    const double first = size_of(merges[i].first), second = size_of(merges[i].second);
    ASSERT_TRUE(parts[i] == first || parts[i] == second) << i << ": found " << parts[i] << ", expected " << first << " or " << second;
  }
}

TEST(dendrogram, of_wide_ids_is_that_of_narrow_ones) {
  const auto list = make_coo(6, {{4, 1}, {1, 3}, {5, 0}});
  coo<std::uint64_t> wide{6, buffer<edge<std::uint64_t>>{3}};
  std::ranges::transform(list.edges, wide.edges.begin(), [](auto e) { return edge<std::uint64_t>{e.u, e.v}; });
  const std::vector<float> weights{.5f, .25f, .75f};
  const graph forest{std::move(wide)};
  for (const unsigned threads : {1u, 3u}) expect_the_sweep(forest, std::span{weights}, std::nullopt, {.threads = threads}, "wide");
  EXPECT_EQ(dendrogram(forest, std::span<const float>{weights}).report.device, "cpu");
}

TEST(dendrogram, of_one_vertex_has_no_merges) {
  const graph one{make_coo(1, {})}, none{make_coo(0, {})};
  EXPECT_EQ(dendrogram(one, std::span<const double>{}).merges.size(), 0u);
  EXPECT_EQ(dendrogram(none, std::span<const double>{}).merges.size(), 0u);
}

std::string refused(const graph& forest, const std::vector<double>& weights, std::optional<double> top = std::nullopt) {
  std::string text;
  for (const unsigned threads : {1u, 3u}) {
    text = thrown<error>([&] { static_cast<void>(dendrogram(forest, std::span<const double>{weights}, top, {.threads = threads})); });
  }
  return text;
}

TEST(dendrogram, refuses_what_is_no_forest_of_finite_weights) {
  const graph path{make_coo(4, {{0, 1}, {1, 2}})};
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused(path, {1}), "weights must have one for each edge of the forest, 2, not 1");
  EXPECT_EQ(refused(path, {1, nan}), "weights: found one that is not a number at position 1, expected numbers");
  EXPECT_EQ(refused(path, {1, infinity}), "weights: found an infinite one, expected finite weights, as heights are differences of weights");
  EXPECT_EQ(refused(path, {1, 5}, 3.), "top must be the largest height, 4.000000, or more, not 3.000000");
  const std::string cycle = "the forest must be a list of edges without a cycle";
  EXPECT_EQ(refused(graph{make_coo(6, {{0, 1}, {1, 2}, {2, 0}})}, {1, 2, 3}), cycle);
  EXPECT_EQ(refused(graph{make_coo(9, {{0, 1}, {1, 0}, {1, 1}, {0, 1}, {2, 3}, {3, 2}, {3, 3}})}, {1, 2, 3, 4, 5, 6, 7}), cycle);
  EXPECT_EQ(refused(graph{make_coo(3, {{0, 0}, {0, 0}})}, {1, 1}), cycle);
  EXPECT_EQ(refused(graph{make_coo(2, {{0, 1}, {1, 0}})}, {1, 1}),
            "a forest must have fewer edges than vertices, not 2 edges on 2 vertices");
}

}  // namespace
}  // namespace copse::test
