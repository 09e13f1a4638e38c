// spanning_forest() as a user calls it: names, choosers, edge lists for rows, memory, stopping, errors.
#include <copse/copse.hpp>

#include "forests.hpp"
#include "support/failing_memory.hpp"
#include "support/impatient.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

const coo<std::uint32_t>& small() {
  static const auto edges = make_coo(6, {{0, 1}, {1, 2}, {2, 0}, {4, 3}, {3, 4}, {5, 5}});
  return edges;
}

TEST(spanning_forest, of_an_edge_list) {
  const graph_view view{small().view()};
  const auto found = spanning_forest(view, {.with_labels = true}, {.threads = 2});
  EXPECT_EQ(found.edge_count(), 3u);
  EXPECT_EQ(found.count(), 3u);
  EXPECT_TRUE(verify_forest(view, found.edges));
  EXPECT_EQ(checksum(*found.labels), checksum(components(view).labels));
  EXPECT_FALSE(spanning_forest(view).labels.has_value());
}

TEST(spanning_forest, keeps_the_names_of_the_vertices) {
  buffer<std::uint64_t> names{3};
  names[0] = 10, names[1] = 20, names[2] = 30;
  const graph named{make_coo(3, {{2, 0}, {1, 0}}), vertex_names::integers(std::move(names))};
  const auto found = spanning_forest(named, {.with_labels = true});
  EXPECT_EQ(found.edges.names().integer(2), 30u);
  EXPECT_EQ(found.labels->names().integer(1), 20u);
}

TEST(spanning_forest, of_no_vertices_and_of_no_edges) {
  const auto none = spanning_forest(graph_view{coo_view<std::uint32_t>{}}, {.with_labels = true});
  EXPECT_EQ(none.edges.vertices(), 0u);
  EXPECT_EQ(none.edge_count(), 0u);
  const auto apart = spanning_forest(graph_view{coo_view<std::uint64_t>{9, {}}});
  EXPECT_EQ(apart.count(), 9u);
  EXPECT_EQ(apart.edge_count(), 0u);
}

TEST(spanning_forest, every_chooser_names_a_variant_that_makes_one) {
  const auto lists = gen::generate_edges("er:n=20000,m=60000");
  const auto rows = build_csr(lists);
  const auto roads = gen::generate("grid2d:side=150");
  for (const auto chooser : choosers()) {
    for (const graph* g : {&lists, &rows, &roads}) {
      for (const unsigned threads : {1u, 3u}) {
        const auto found = spanning_forest(*g, {.variant = std::string{chooser}}, {.threads = threads});
        const auto input = g->has_rows() ? input_kind::csr : input_kind::coo;
        EXPECT_NE(find_variant(found.report.variant, input, problem_kind::forest), nullptr) << found.report.variant;
        EXPECT_FALSE(found.report.explanation.empty()) << chooser;
        const verdict proved = verify_forest(g->view(), found.edges);
        EXPECT_TRUE(proved) << found.report.variant << ": " << proved.reason;
      }
    }
  }
}

TEST(spanning_forest, builds_rows_of_an_edge_list_for_a_variant_that_walks_them) {
  const auto found = spanning_forest(graph_view{small().view()}, {.variant = "serial.hb.rem"});
  EXPECT_TRUE(verify_forest(small().view(), found.edges));
  EXPECT_EQ(found.report.variant, "serial.hb.rem");
  EXPECT_GT(found.report.build_seconds, 0);
}

TEST(spanning_forest, tells_its_phases) {
  const auto edges_only = spanning_forest(graph_view{small().view()}, {.variant = "serial.none.rem"});
  std::vector<std::string> names;
  for (const auto& phase : edges_only.report.phases) names.emplace_back(phase.name);
  EXPECT_EQ(names, (std::vector<std::string>{"sample", "finish", "collect"}));
  const auto both = spanning_forest(graph_view{small().view()}, {.variant = "serial.none.rem", .with_labels = true});
  EXPECT_EQ(both.report.phases.back().name, "labels");
}

TEST(spanning_forest, takes_all_its_memory_from_the_resource_and_gives_it_back) {
  const auto g = gen::generate("er:n=100000,m=150000");
  tracked_memory memory;
  {
    const auto found = spanning_forest(g, {.variant = "threads.kout.rem_lock.naive.halve_one"}, {.threads = 2, .memory = &memory});
    EXPECT_GE(memory.current_bytes(), 8 * found.edge_count());
    // Parents, flags and a slot per vertex; then the lists of slots to fill and to move.
    EXPECT_GE(memory.peak_bytes(), (4u + 1u + 8u) * 100000u);
    EXPECT_LE(memory.peak_bytes(), (4u + 1u + 8u + 8u) * 100000u + 4096);
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
}

TEST(spanning_forest, survives_every_failing_allocation) {
  const auto rows = build_csr(graph_view{small().view()});
  for (const std::string variant :
       {"serial.none.rem", "threads.ldd.hooks.halve", "threads.bfs.jtb.naive", "serial.hb.rem_lock.naive.split_one"}) {
    const auto failures = failures_of(
        [&](auto* memory) { spanning_forest(rows, {.variant = variant, .with_labels = true}, {.threads = 2, .memory = memory}); });
    EXPECT_GE(failures, 2u) << variant;
  }
}

TEST(spanning_forest, can_be_stopped) {
  impatient stop;
  EXPECT_THROW(spanning_forest(graph_view{small().view()}, {}, {.observer = &stop}), cancelled);
}

TEST(spanning_forest, refuses_what_makes_none) {
  const graph_view view{small().view()};
  const auto text_of = [&](const solve_options& options) { return thrown<usage_error>([&] { spanning_forest(view, options); }); };
  EXPECT_EQ(text_of({.variant = "threads.none.stergiou"}),
            "threads.none.stergiou: a vertex may leave its tree, so no root dies for exactly one edge");
  EXPECT_TRUE(text_of({.variant = "threads.none.asink"}).starts_with("unknown finish 'asink'"));
  EXPECT_EQ(text_of({.count = true}), "count: only components can be counted, not spanning forests");
}

}  // namespace
}  // namespace copse::test
