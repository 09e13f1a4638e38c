// Counted solves on a CPU and on a GPU, and a graph that leaves them little choice.
#pragma once
#include <copse/components.hpp>
#include <copse/labels.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/rows.hpp"

namespace copse::test {

using rows32 = test_rows<std::uint32_t, std::uint32_t>;

/// The answer is compared, too.
inline work_counts count(graph_view g, const std::string& variant) {
  const auto result = components(g, {.variant = variant, .count = true}, {.threads = 2});
  EXPECT_EQ(checksum(result.labels), checksum(components(g, {.variant = "serial.none.rem"}).labels)) << variant;
  EXPECT_TRUE(result.report.work.has_value());
  return result.report.work.value_or(work_counts{});
}

inline rows32 rows_of_edges(std::uint32_t vertices, const std::vector<edge<std::uint32_t>>& edges) {
  return make_test_rows<std::uint32_t, std::uint32_t>(coo_view<std::uint32_t>{vertices, edges}, row_state::simple);
}

/// A hundred leaves, and two vertices alone.
inline const rows32& star() {
  static const auto rows = [] {
    std::vector<edge<std::uint32_t>> edges;
    for (std::uint32_t v = 1; v <= 100; ++v) edges.push_back({0, v});
    return rows_of_edges(103, edges);
  }();
  return rows;
}

/// Of a variant without a sample.
inline void expect_one_unite_per_edge_of_the_star(const std::string& variant) {
  const auto work = count(star().view(), variant);
  EXPECT_EQ(work.sampled_arcs, 0u) << variant;
  EXPECT_EQ(work.finish_arcs, 100u) << variant;
  EXPECT_EQ(work.unites, 100u) << variant;
  EXPECT_EQ(work.outside_arcs + work.crossing_arcs + work.giant_vertices, 0u) << variant;
  EXPECT_GE(work.longest_path, 2u) << variant;
  EXPECT_GE(work.call_loads, 200u) << variant;
  EXPECT_GE(work.loads, work.call_loads + 103) << variant;
}

/// Of kout: in round 0 the first arc of each of 101 rows, in round 1 only the centre has another. All 101 are one tree then.
inline void expect_a_giant_in_the_star(const std::string& variant) {
  const auto work = count(star().view(), variant);
  EXPECT_EQ(work.sampled_arcs, 102u);
  EXPECT_EQ(work.giant_vertices, 101u);
  EXPECT_EQ(work.outside_arcs + work.crossing_arcs + work.finish_arcs, 0u);
}

}  // namespace copse::test
