// Buffers, the limit, the count, and allocations that fail.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_memory.hpp"
#include "support/rows.hpp"
#include "support/thrown.hpp"
#include "support/zoo.hpp"

namespace copse::test {
namespace {

TEST(memory, large_buffers_are_aligned_zero_pages) {
  const buffer<std::uint32_t> large{3'000'000};
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (2u << 20), 0u);
  EXPECT_EQ(large[0], 0u);
  EXPECT_EQ(large[2'999'999], 0u);
}

TEST(memory, refuses_what_no_machine_has) {
  EXPECT_THROW(buffer<std::uint64_t>{SIZE_MAX / 16}, resource_error);
  EXPECT_THROW(buffer<std::uint64_t>{SIZE_MAX / 4}, resource_error);
}

TEST(memory, counts_current_and_peak_bytes) {
  tracked_memory memory;
  {
    buffer<std::uint64_t> a{100, &memory};
    const buffer<std::uint64_t> b{50, &memory};
    EXPECT_EQ(memory.current_bytes(), 1200u);
    a = buffer<std::uint64_t>{};
    EXPECT_EQ(memory.current_bytes(), 400u);
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
  EXPECT_EQ(memory.peak_bytes(), 1200u);
}

TEST(memory, names_both_numbers_when_the_limit_is_passed) {
  tracked_memory memory{1000};
  const buffer<char> most{900, &memory};
  EXPECT_EQ(thrown<resource_error>([&] { const buffer<char> more{200, &memory}; }), "memory limit: 1100 bytes needed, 1000 allowed");
  EXPECT_EQ(memory.current_bytes(), 900u);
}

TEST(memory, a_solve_that_runs_out_says_so_and_leaks_nothing) {
  const auto graphs = zoo(1);
  const auto& edges = graphs.back().edges;
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(edges.view(), row_state::one_sided);
  for (const std::string variant : {"serial.none.rem", "serial.none.dfs", "threads.kout.afforest"}) {
    const auto failures =
        failures_of([&](auto* memory) { components(rows.view(), {.variant = variant}, {.threads = 2, .memory = memory}); });
    EXPECT_LT(failures, 100u) << variant;
  }
}

TEST(threads, zero_means_all_cores_and_at_least_one) {
  EXPECT_GE(usable_threads(0), 1u);
  EXPECT_EQ(usable_threads(7), 7u);
}

TEST(vertex_names, find_is_the_inverse_of_the_name) {
  const std::vector<std::uint64_t> ids{3, 10, 11, UINT64_MAX};
  buffer<std::uint64_t> held{ids.size()};
  std::copy(ids.begin(), ids.end(), held.begin());
  const auto names = vertex_names::integers(std::move(held));
  for (std::uint64_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(names.integer(i), ids[i]);
    EXPECT_EQ(names.find(ids[i]), i);
  }
  EXPECT_EQ(names.find(std::uint64_t{4}), std::nullopt);
  EXPECT_EQ(names.find("3"), std::nullopt);

  const auto identity = vertex_names::identity(5);
  EXPECT_EQ(identity.find(std::uint64_t{4}), 4u);
  EXPECT_EQ(identity.find(std::uint64_t{5}), std::nullopt);
}

TEST(vertex_names, strings_are_found_by_their_bytes) {
  const std::string bytes = "aabb\xff";
  buffer<char> held{bytes.size()};
  std::copy(bytes.begin(), bytes.end(), held.begin());
  buffer<std::uint64_t> offsets{5};
  std::copy_n(std::vector<std::uint64_t>{0, 0, 2, 4, 5}.begin(), 5, offsets.begin());
  const auto names = vertex_names::strings(std::move(held), std::move(offsets));
  const std::vector<std::string> words{"", "aa", "bb", "\xff"};
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(names.string(i), words[i]);
    EXPECT_EQ(names.find(words[i]), i);
  }
  EXPECT_EQ(names.find("ab"), std::nullopt);
  EXPECT_EQ(names.find("\xff\xff"), std::nullopt);
}

}  // namespace
}  // namespace copse::test
