// Weighted forests by a GPU are those that the CPU finds: as sets of edges, for every kind of weight, with equal weights and parallel
// edges.
#include <gtest/gtest.h>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

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
      const auto found =
          weighted_forest(rows, std::span<const Weight>{weights}, {.variant = "cuda.filter_boruvka", .goal = goal, .positions = true});
      ASSERT_EQ(std::vector(found.positions.begin(), found.positions.end()),
                std::vector(expected.positions.begin(), expected.positions.end()))
          << spec << ", " << kinds << " weights";
      EXPECT_EQ(found.report.device, "cuda:0");
    }
  }
}

class weighted_on_gpu : public testing::TestWithParam<std::string> {};

TEST_P(weighted_on_gpu, finds_the_forest_of_the_cpu) {
  COPSE_NEEDS_GPU();
  compare<std::uint32_t>(GetParam());
  compare<std::int32_t>(GetParam());
  compare<float>(GetParam());
  compare<double>(GetParam());
  compare<std::int64_t>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(graphs, weighted_on_gpu,
                         testing::Values("karate", "path:n=100000", "star:n=20000", "er:n=20000,m=15000", "er:n=3000,m=200000",
                                         "rmat:scale=14,edges=16", "grid2d:side=300", "osm:side=100,keep=.6", "ba:n=30000,k=10",
                                         "web:n=40000,degree=20"));

// Weights that rise along a path make one chain of all vertices in the first round.
TEST(weighted_on_gpu, follows_long_chains) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate("path:n=1000000");
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  std::vector<float> weights(rows.arcs());
  for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
    for (std::uint32_t a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) weights[a] = static_cast<float>(std::min(u, rows.targets[a]));
  }
  EXPECT_EQ(weighted_forest(rows, std::span<const float>{weights}, {.variant = "cuda.filter_boruvka"}).edge_count(), 999'999u);
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

TEST(weighted_on_gpu, refuses_a_list_of_edges) {
  COPSE_NEEDS_GPU();
  const std::vector<edge<std::uint32_t>> edges{{0, 1}};
  const std::vector<float> weights{1};
  EXPECT_THROW(static_cast<void>(
                   weighted_forest(coo_view<std::uint32_t>{2, edges}, std::span<const float>{weights}, {.variant = "cuda.filter_boruvka"})),
               usage_error);
}

}  // namespace
}  // namespace copse::test
