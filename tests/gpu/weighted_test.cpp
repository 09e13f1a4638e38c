// Weighted forests by a GPU are those that the CPU finds: as sets of edges, for every kind of weight, with equal weights and parallel
// edges.
#include <gtest/gtest.h>
#include <api/gpu_parts.hpp>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/callers.hpp"
#include "gpu/gpu.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

template <class Weight>
std::vector<Weight> weights_of(const csr_view<std::uint32_t, std::uint32_t>& rows, std::uint64_t kinds, std::uint64_t seed) {
  std::vector<Weight> weights(rows.arcs());
  for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
    for (std::uint32_t a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) {
      const std::uint64_t v = rows.targets[a], low = std::min<std::uint64_t>(u, v), high = std::max<std::uint64_t>(u, v);
      const auto drawn = mix(seed + (low << 32 | high)) % kinds;
      weights[a] = static_cast<Weight>(static_cast<Weight>(drawn) - static_cast<Weight>(std::is_signed_v<Weight> ? kinds / 2 : 0));
      if constexpr (std::is_floating_point_v<Weight>) weights[a] /= 7;
    }
  }
  return weights;
}

/// All variants of cuda.
std::vector<std::string> gpu_variants() {
  std::vector<std::string> names;
  for (const variant_info& variant : variants(problem_kind::weighted_forest)) {
    if (variant.backend == "cuda") names.emplace_back(variant.name);
  }
  return names;
}

/// Places of arcs or edges, in ascending order.
template <class Places>
std::vector<std::uint64_t> places(const Places& found) {
  return {found.begin(), found.end()};
}

template <class Weight>
void compare(const std::string& spec) {
  const graph g = gen::generate(spec);
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  ASSERT_TRUE(rows.sorted && rows.symmetric == symmetry::yes);
  for (const std::uint64_t kinds : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1000}, std::uint64_t{1} << 30}) {
    const auto weights = weights_of<Weight>(rows, kinds, 5);
    for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
      const auto expected =
          weighted_forest(rows, std::span<const Weight>{weights}, {.variant = "serial.kruskal", .goal = goal, .positions = true});
      for (const std::string& variant : gpu_variants()) {
        const auto found = weighted_forest(rows, std::span<const Weight>{weights}, {.variant = variant, .goal = goal, .positions = true});
        ASSERT_EQ(places(found.positions), places(expected.positions)) << variant << ", " << spec << ", " << kinds << " weights";
        EXPECT_EQ(found.report.device, "cuda:0");
      }
    }
  }
}

class weighted_on_gpu : public ::testing::TestWithParam<std::string> {};

TEST_P(weighted_on_gpu, finds_the_forest_of_the_cpu) {
  COPSE_NEEDS_GPU();
  compare<std::uint32_t>(GetParam());
  compare<std::int32_t>(GetParam());
  compare<float>(GetParam());
  compare<double>(GetParam());
  compare<std::int64_t>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(graphs, weighted_on_gpu,
                         ::testing::Values("karate", "path:n=100000", "star:n=20000", "er:n=20000,m=15000", "er:n=3000,m=200000",
                                           "rmat:scale=14,edges=16", "grid2d:side=300", "osm:side=100,keep=.6", "ba:n=30000,k=10",
                                           "web:n=40000,degree=20"));

/// Copied, and found in the memory of earlier searches.
template <class Weight>
void compare_resident(const std::string& variant, const std::string& spec, forest_goal goal) {
  const graph g = gen::generate(spec);
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  const auto weights = weights_of<Weight>(rows, 1000, 9);
  const auto expected =
      weighted_forest(rows, std::span<const Weight>{weights}, {.variant = "serial.kruskal", .goal = goal, .positions = true});
  const gpu_graph resident =
      gpu_graph::copy_of(rows, std::span<const Weight>{weights}, {.variant = variant, .problem = problem_kind::weighted_forest});
  for (const forest_goal now : {goal, forest_goal::minimum, forest_goal::maximum, goal}) {
    const gpu_spanning_forest found = weighted_forest(resident, {.variant = variant, .goal = now});
    if (now != goal) continue;
    std::vector<edge<std::uint32_t>> edges(found.edges_on_device().size());
    std::vector<std::uint32_t> arcs(found.arcs_on_device().size());
    ASSERT_EQ(arcs.size(), edges.size());
    found.copy_out(edges);
    found.copy_out_arcs(arcs);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      ASSERT_LT(edges[i].u, edges[i].v);
      ASSERT_EQ(edges[i].v, rows.targets[arcs[i]]);
      ASSERT_TRUE(rows.offsets[edges[i].u] <= arcs[i] && arcs[i] < rows.offsets[edges[i].u + 1]) << spec << ", arc " << arcs[i];
    }
    std::sort(arcs.begin(), arcs.end());
    EXPECT_EQ(places(arcs), places(expected.positions)) << spec;
    EXPECT_EQ(found.report().variant, variant);
    EXPECT_EQ(found.report().device, "cuda:0");
  }
}

TEST(weighted_on_gpu, is_found_again_in_the_same_memory) {
  COPSE_NEEDS_GPU();
  for (const std::string& variant : gpu_variants()) {
    SCOPED_TRACE(variant);
    for (const char* spec : {"er:n=3000,m=9000", "rmat:scale=15,edges=16", "karate", "path:n=70000", "er:n=100,m=4000", "star:n=20000",
                             "path:n=1", "osm:side=60,keep=.6"}) {
      for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
        compare_resident<std::uint32_t>(variant, spec, goal);
        compare_resident<float>(variant, spec, goal);
        compare_resident<std::int64_t>(variant, spec, goal);
      }
    }
  }
}

TEST(weighted_on_gpu, keeps_its_memory_between_searches) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate("rmat:scale=14,edges=16");
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  const auto weights = weights_of<std::uint32_t>(rows, 1000, 9);
  for (const std::string& variant : gpu_variants()) {
    SCOPED_TRACE(variant);
    const gpu_graph resident = gpu_graph::copy_of(rows, std::span<const std::uint32_t>{weights},
                                                  {.variant = variant, .problem = problem_kind::weighted_forest, .time_phases = true});
    const device::forest_finder* const finder = &gpu_access::of(resident).on->finder_for(variant);
    const std::uint64_t held = gpu_access::of(resident).on->solver().memory().current_bytes();
    for (const forest_goal goal : {forest_goal::minimum, forest_goal::minimum, forest_goal::minimum}) {
      const gpu_spanning_forest found = weighted_forest(resident, {.variant = variant, .goal = goal});
      EXPECT_GT(found.report().solve_seconds, 0);
      EXPECT_GT(found.report().launches, 5u);
      EXPECT_EQ(found.report().phases.front().name, "keys");
    }
    EXPECT_EQ(&gpu_access::of(resident).on->finder_for(variant), finder);
    EXPECT_EQ(gpu_access::of(resident).on->solver().memory().current_bytes(), held);
  }
}

TEST(weighted_on_gpu, keeps_each_forest_when_others_are_found) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate("rmat:scale=12,edges=8");
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  const auto weights = weights_of<float>(rows, 1000, 9);
  const gpu_graph resident = gpu_graph::copy_of(rows, std::span<const float>{weights});
  const auto edges_of = [](const gpu_spanning_forest& forest) {
    std::vector<edge<std::uint32_t>> edges(forest.arcs_on_device().size());
    forest.copy_out(edges);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto [u, v] : edges) pairs.emplace_back(u, v);
    std::ranges::sort(pairs);
    return pairs;
  };
  const auto lightest = edges_of(weighted_forest(resident));
  const auto heaviest = edges_of(weighted_forest(resident, {.goal = forest_goal::maximum}));
  ASSERT_NE(lightest, heaviest);
  std::optional<gpu_spanning_forest> first = weighted_forest(resident);
  const gpu_spanning_forest second = weighted_forest(resident, {.variant = "cuda.ecl_mst", .goal = forest_goal::maximum});
  EXPECT_EQ(edges_of(*first), lightest);
  EXPECT_EQ(edges_of(second), heaviest);
  first = weighted_forest(resident);
  first.reset();  // never asked for
  EXPECT_EQ(edges_of(weighted_forest(resident)), lightest);
}

TEST(weighted_on_gpu, refuses_another_variant_than_one_of_a_gpu) {
  COPSE_NEEDS_GPU();
  const gpu_graph resident = gpu_graph::copy_of(gen::generate("karate").view());
  EXPECT_EQ(thrown<usage_error>([&] { static_cast<void>(weighted_forest(resident, {.variant = "threads.boruvka"})); }),
            "weighted forests of a graph on a GPU need auto or a variant of cuda, not threads.boruvka");
  EXPECT_EQ(thrown<usage_error>([&] { static_cast<void>(weighted_forest(resident)); }),
            "cuda.filter_boruvka needs a graph that was made with weights");
  EXPECT_THROW(static_cast<void>(gpu_graph::generate("karate", {.problem = problem_kind::weighted_forest})), usage_error);
}

TEST(weighted_on_gpu, refuses_views_that_are_wrong) {
  COPSE_NEEDS_GPU();
  const std::vector<std::uint32_t> offsets{0, 1, 2}, targets{1, 0}, beyond{1, 2}, numbers{7, 7};
  const words on_gpu_offsets{std::span{offsets}}, on_gpu_targets{std::span{targets}}, wrong{std::span{beyond}}, weights{std::span{numbers}};
  const auto found = [](const device_graph_view& g, device_span<const std::uint32_t> column) {
    return weighted_forest(gpu_graph::borrow(g, column)).edges_on_device().size();
  };
  device_csr_view<std::uint32_t> view{.offsets = on_gpu_offsets.of<std::uint32_t>(), .targets = on_gpu_targets.of<std::uint32_t>()};
  EXPECT_EQ(found(view, weights.of<std::uint32_t>()), 1u);  // not trusted: what it is, is found out
  EXPECT_THROW(found(view, device_span<const std::uint32_t>{weights.data(), 1}), usage_error);
  EXPECT_THROW(found(view, device_span<const std::uint32_t>{numbers.data(), 2}), usage_error);
  EXPECT_THROW(found(device_edges_view{}, device_span<const std::uint32_t>{}), usage_error);
  view.targets = wrong.of<std::uint32_t>();
  EXPECT_THROW(found(view, weights.of<std::uint32_t>()), usage_error);
  view.targets = on_gpu_targets.of<std::uint32_t>();
  view.trusted = true;
  EXPECT_THROW(found(view, weights.of<std::uint32_t>()), usage_error);  // believed, but not said to be symmetric
}

// Weights that rise along a path make one chain of all vertices in the first round.
TEST(weighted_on_gpu, follows_long_chains) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate("path:n=1000000");
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  std::vector<float> weights(rows.arcs());
  for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
    for (std::uint32_t a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) weights[a] = static_cast<float>(std::min(u, rows.targets[a]));
  }
  for (const std::string& variant : gpu_variants()) {
    EXPECT_EQ(weighted_forest(rows, std::span<const float>{weights}, {.variant = variant}).edge_count(), 999'999u) << variant;
  }
}

TEST(weighted_on_gpu, refuses_what_is_no_number_with_its_place) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate("path:n=5");
  std::vector<double> weights(8, 1.0);
  weights[6] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(thrown<input_error>([&] {
              static_cast<void>(weighted_forest(g.view(), std::span<const double>{weights}, {.variant = "cuda.filter_boruvka"}));
            }),
            "weights: found one that is not a number at position 6, expected numbers");
}

/// Lists with repeats of an edge in both directions, which differ in weight or not, and loops.
template <class Weight>
void compare_list(std::uint32_t n, std::size_t count, std::uint64_t kinds, std::uint64_t seed) {
  const random_stream us{seed, 1}, vs{seed, 2}, drawn{seed, 3};
  std::vector<edge<std::uint32_t>> edges;
  std::vector<std::uint32_t> sources, targets;
  std::vector<Weight> weights;
  for (std::size_t i = 0; i < count; ++i) {
    edges.push_back({static_cast<std::uint32_t>(us.below(i, n)), static_cast<std::uint32_t>(vs.below(i, n))});
    sources.push_back(edges.back().u);
    targets.push_back(edges.back().v);
    weights.push_back(static_cast<Weight>(drawn.below(i, kinds)));
  }
  for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
    const coo_view<std::uint32_t> list{n, edges};
    const auto expected =
        weighted_forest(list, std::span<const Weight>{weights}, {.variant = "serial.kruskal", .goal = goal, .positions = true});
    for (const std::string& variant : gpu_variants()) {
      const weighted_forest_options by_gpu{.variant = variant, .goal = goal, .positions = true};
      for (const auto& found :
           {weighted_forest(list, std::span<const Weight>{weights}, by_gpu),
            weighted_forest(edge_columns_view<std::uint32_t>{n, sources, targets}, std::span<const Weight>{weights}, by_gpu)}) {
        ASSERT_EQ(places(found.positions), places(expected.positions))
            << variant << ", " << n << " vertices, " << count << " edges, " << kinds << " weights";
        EXPECT_EQ(found.report.device, "cuda:0");
      }
    }
  }
}

TEST(weighted_on_gpu, finds_the_forest_of_a_list) {
  COPSE_NEEDS_GPU();
  for (const std::uint64_t kinds : {1, 3, 1000, 1 << 24}) {
    for (const auto& [n, count] : {std::pair{1u, 3u}, {7u, 40u}, {100u, 20'000u}, {50'000u, 30'000u}, {20'000u, 300'000u}, {5u, 0u}}) {
      compare_list<float>(n, count, kinds, 3);
      compare_list<double>(n, count, kinds, 4);
      compare_list<std::uint32_t>(n, count, kinds, 5);
    }
  }
}

TEST(weighted_on_gpu, refuses_a_list_of_wide_ids) {
  COPSE_NEEDS_GPU();
  const std::vector<edge<std::uint64_t>> edges{{0, 1}};
  const std::vector<float> weights{1};
  EXPECT_THROW(static_cast<void>(
                   weighted_forest(coo_view<std::uint64_t>{2, edges}, std::span<const float>{weights}, {.variant = "cuda.filter_boruvka"})),
               usage_error);
}

}  // namespace
}  // namespace copse::test
