// Euler tours ranked on a GPU: what the CPU finds, for every size and every ranking there is.
#include <copse/rooted_forest.hpp>
#include <copse/variants.hpp>

#include "gpu/gpu.hpp"
#include "support/sweep_length.hpp"
#include "tree/tours.hpp"

namespace copse::test {
namespace {

TEST(gpu_euler_tour, of_every_size_is_the_cpus) {
  COPSE_NEEDS_GPU();
  for (std::uint32_t n = 0; n <= 300; n += quick() ? 7 : 1) {
    const std::string size = std::to_string(n);
    const auto whole = forest_from("random_tree:n=" + size + ",shuffle=1,seed=" + size);
    for (const auto& forest : {whole, cut(whole, 2 + n % 7), cut(whole, 1)}) {
      const auto found = euler_tour(forest.held(), "auto", {.device = "cuda", .threads = 2});
      ASSERT_EQ(plain(found.tour), expected_tour(forest.n, forest.edges)) << n;
      ASSERT_EQ(found.report.device, "cuda:0");
      ASSERT_EQ(found.report.variant, "cuda.helman_jaja");
    }
  }
}

TEST(gpu_euler_tour, of_large_forests_is_the_cpus) {
  COPSE_NEEDS_GPU();
  for (const std::string spec : {"random_tree:n=3000000,shuffle=1", "path:n=3000000,shuffle=1", "star:n=1000000"}) {
    for (const auto& forest : {forest_from(spec), cut(forest_from(spec), 100)}) {
      const auto expected = plain(euler_tour(forest.held()).tour);
      for (const variant_info& v : variants(problem_kind::list_ranking)) {
        if (v.backend != "cuda" && v.backend != "hybrid") continue;
        ASSERT_EQ(plain(euler_tour(forest.held(), v.name, {.device = "cuda"}).tour), expected) << v.name << " " << spec;
      }
    }
  }
}

TEST(gpu_euler_tour, of_wide_ids_is_the_cpus) {
  COPSE_NEEDS_GPU();
  const auto forest = cut(forest_from("random_tree:n=50000,shuffle=1"), 40);
  EXPECT_EQ(plain(euler_tour(forest_of<std::uint64_t>(forest.n, forest.edges), "auto", {.device = "cuda"}).tour),
            expected_tour(forest.n, forest.edges));
}

}  // namespace
}  // namespace copse::test
