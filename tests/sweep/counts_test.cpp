// What a counted solve counts: exact where the graph leaves no choice, and never another answer.
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/labels.hpp>

#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

work_counts count(graph_view g, const std::string& variant) {
  const auto result = components(g, {.variant = variant, .threads = 2, .count = true});
  EXPECT_EQ(checksum(result.labels), checksum(components(g, {.variant = "serial.none.rem"}).labels)) << variant;
  EXPECT_TRUE(result.report.work.has_value());
  return result.report.work.value_or(work_counts{});
}

const test_rows<std::uint32_t, std::uint32_t>& star() {
  static const auto rows = [] {
    std::vector<edge<std::uint32_t>> edges;
    for (std::uint32_t v = 1; v <= 100; ++v) edges.push_back({0, v});
    return make_test_rows<std::uint32_t, std::uint32_t>(coo_view<std::uint32_t>{103, edges}, row_state::simple);
  }();
  return rows;
}

TEST(counts, of_an_unsampled_variant_are_one_unite_per_edge) {
  for (const std::string variant : {"serial.none.union_find", "omp.none.rem_cas.naive.halve_one", "omp.none.jtb.naive"}) {
    const auto work = count(star().view(), variant);
    EXPECT_EQ(work.sampled_arcs, 0u) << variant;
    EXPECT_EQ(work.finish_arcs, 100u) << variant;
    EXPECT_EQ(work.unites, 100u) << variant;
    EXPECT_EQ(work.outside_arcs + work.crossing_arcs + work.giant_vertices, 0u) << variant;
    EXPECT_GE(work.longest_path, 2u) << variant;
    EXPECT_GE(work.call_loads, 200u) << variant;
    EXPECT_GE(work.loads, work.call_loads + 103) << variant;
  }
}

TEST(counts, of_a_sampled_variant_show_the_giant) {
  const auto work = count(star().view(), "omp.kout.async.naive");
  // Round 0: the first arc of each of 101 rows; round 1: only the centre has another. All 101 are one tree then.
  EXPECT_EQ(work.sampled_arcs, 102u);
  EXPECT_EQ(work.giant_vertices, 101u);
  EXPECT_EQ(work.outside_arcs, 0u);
  EXPECT_EQ(work.crossing_arcs, 0u);
  EXPECT_EQ(work.finish_arcs, 0u);
}

TEST(counts, of_a_search_are_its_arcs) {
  EXPECT_EQ(count(star().view(), "serial.none.dfs").finish_arcs, 200u);
  EXPECT_GE(count(star().view(), "omp.bfs.async.naive").sampled_arcs, 100u);
}

TEST(counts, see_an_arc_between_two_trees) {
  // Stars around 0 (leaves 2 .. 49) and 1 (leaves 51 .. 69); an arc between two leaves is the second of both rows, which k = 1 does not
  // see.
  std::vector<edge<std::uint32_t>> edges{{49, 69}};
  for (std::uint32_t v = 2; v < 50; ++v) edges.push_back({0, v});
  for (std::uint32_t v = 51; v < 70; ++v) edges.push_back({1, v});
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(coo_view<std::uint32_t>{70, edges}, row_state::simple);
  const auto result = components(graph_view{rows.view()}, {.variant = "serial.kout.union_find", .kout_rounds = 1, .count = true});
  const auto work = result.report.work.value_or(work_counts{});
  EXPECT_EQ(work.giant_vertices, 49u);
  EXPECT_EQ(work.crossing_arcs, 2u);
  EXPECT_EQ(work.outside_arcs, 19u + 18u + 2u);
}

TEST(counts, refuse_wide_ids) {
  const coo_view<std::uint64_t> wide{};
  EXPECT_THROW(components(graph_view{wide}, {.variant = "serial.none.rem", .count = true}), usage_error);
}

}  // namespace
}  // namespace copse::test
