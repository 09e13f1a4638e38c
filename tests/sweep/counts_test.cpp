// What a counted solve counts: exact where the graph leaves no choice, and never another answer.
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/labels.hpp>

#include "support/rows.hpp"
#include "sweep/counted.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

TEST(counts, of_an_unsampled_variant_are_one_unite_per_edge) {
  for (const std::string variant : {"serial.none.union_find", "threads.none.rem_cas.naive.halve_one", "threads.none.jtb.naive"}) {
    expect_one_unite_per_edge_of_the_star(variant);
  }
}

TEST(counts, of_a_sampled_variant_show_the_giant) { expect_a_giant_in_the_star("threads.kout.async.naive"); }

TEST(counts, of_a_search_are_its_arcs) {
  EXPECT_EQ(count(star().view(), "serial.none.dfs").finish_arcs, 200u);
  EXPECT_GE(count(star().view(), "threads.bfs.async.naive").sampled_arcs, 100u);
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
