// What a variant says it holds beside the labels (aux_bytes_per_vertex) is what a solve holds.
#include <copse/components.hpp>
#include <copse/variants.hpp>

#include <gtest/gtest.h>
#include "support/rows.hpp"

#include <string>
#include <vector>

namespace copse::test {
namespace {

TEST(aux_memory, of_the_searches_is_what_they_declare) {
  constexpr std::uint32_t n = 100'000;
  std::vector<edge<std::uint32_t>> path;
  for (std::uint32_t v = 1; v < n; ++v) path.push_back({v - 1, v});
  const coo_view<std::uint32_t> list{n, path};
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(list, row_state::simple);
  for (const std::string name : {"serial.none.bfs_cc", "threads.none.bfs_cc", "serial.none.dfs"}) {
    const variant_info* const variant = find_variant(name, input_kind::csr);
    ASSERT_NE(variant, nullptr);
    tracked_memory memory;
    const auto solved = components(graph_view{rows.view()}, {.variant = name}, {.threads = 1, .memory = &memory});
    const std::uint64_t held = memory.peak_bytes() - n * sizeof(std::uint32_t);  // beside the labels
    EXPECT_GE(held, std::uint64_t{n} * variant->aux_bytes_per_vertex) << name;
    EXPECT_LT(held, std::uint64_t{n} * (variant->aux_bytes_per_vertex + 1)) << name;
  }
}

}  // namespace
}  // namespace copse::test
