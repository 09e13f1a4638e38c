// Dendrograms by a GPU are those of the sweep, row for row.
#include "weighted/dendrogram.hpp"
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

TEST(gpu_dendrogram, is_that_of_the_sweep_on_the_zoo) {
  COPSE_NEEDS_GPU();
  expect_the_sweep_on_the_zoo({.device = "cuda"});
}

TEST(gpu_dendrogram, is_that_of_the_sweep_on_large_forests) {
  COPSE_NEEDS_GPU();
  expect_the_sweep_on_large_forests(1e9, {.device = "cuda"});
}

TEST(gpu_dendrogram, refuses_cycles_and_wide_ids) {
  COPSE_NEEDS_GPU();
  const std::vector<double> weights{1, 2, 3};
  EXPECT_THROW(dendrogram(graph{make_coo(6, {{0, 1}, {1, 2}, {2, 0}})}, std::span<const double>{weights}, std::nullopt, {.device = "cuda"}),
               usage_error);
  coo<std::uint64_t> wide{6, buffer<edge<std::uint64_t>>{3}};
  wide.edges[0] = {0, 1}, wide.edges[1] = {1, 2}, wide.edges[2] = {3, 2};
  EXPECT_THROW(dendrogram(graph{std::move(wide)}, std::span<const double>{weights}, std::nullopt, {.device = "cuda"}), usage_error);
}

}  // namespace
}  // namespace copse::test
