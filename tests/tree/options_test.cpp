// What is refused, what reports say, memory that ends, and calls that are stopped.
#include <copse/errors.hpp>

#include <set>

#include "support/failing_memory.hpp"
#include "support/impatient.hpp"
#include "support/thrown.hpp"
#include "tree/tours.hpp"

namespace copse::test {
namespace {

std::string complaint(const graph& forest, const execution& on = {}) {
  return thrown<usage_error>([&] { euler_tour(forest, "auto", on); });
}

TEST(input, that_is_no_forest_is_refused_with_its_edge) {
  for (const unsigned threads : {1u, 2u}) {
    const execution on{.threads = threads};
    const std::string before = "the edges must be a forest; the edge of vertices ", behind = " closes a cycle";
    EXPECT_EQ(complaint(forest_of(3u, {{0, 1}, {1, 2}, {2, 0}}), on), before + "2 and 0" + behind);
    EXPECT_EQ(complaint(forest_of(3u, {{0, 1}, {1, 0}}), on), before + "1 and 0" + behind);
    EXPECT_EQ(complaint(forest_of(3u, {{1, 1}}), on), before + "1 and 1" + behind);
    EXPECT_EQ(complaint(forest_of(3u, {{0, 1}, {1, 3}, {7, 0}}), on), "vertices must be below 3, not 1 and 3");
    EXPECT_EQ(complaint(gen::generate("path:n=3"), on), "the forest must be held as a list of edges, not as rows");
  }
  // Far into a long list; before it, the same tree.
  auto forest = forest_from("random_tree:n=50000,shuffle=1");
  forest.edges.insert(forest.edges.begin() + 40000, {forest.edges[123].v, forest.edges[123].u});
  EXPECT_EQ(complaint(forest.held(), {.threads = 7}), "the edges must be a forest; the edge of vertices " +
                                                          std::to_string(forest.edges[123].v) + " and " +
                                                          std::to_string(forest.edges[123].u) + " closes a cycle");
  forest.edges[777].v = forest.n;
  EXPECT_EQ(complaint(forest.held(), {.threads = 7}),
            "vertices must be below 50000, not " + std::to_string(forest.edges[777].u) + " and 50000");
}

TEST(input, names_are_reported_and_kept) {
  buffer<std::uint64_t> ids{3};
  ids[0] = 10, ids[1] = 20, ids[2] = 35;
  EXPECT_EQ(complaint(forest_of(3u, {{0, 2}, {2, 0}}).renamed(vertex_names::integers(std::move(ids)))),
            "the edges must be a forest; the edge of vertices 35 and 10 closes a cycle");
  buffer<std::uint64_t> more{2};
  more[0] = 7, more[1] = 9;
  EXPECT_EQ(euler_tour(forest_of(2u, {{0, 1}}).renamed(vertex_names::integers(std::move(more)))).tour.names().integer(1), 9u);
}

TEST(options, a_ranking_that_is_none_is_refused) {
  EXPECT_TRUE(thrown<usage_error>([] {
                euler_tour(forest_of(2u, {{0, 1}}), "threads.walk");
              }).starts_with("there is no variant threads.walk; use one of auto, "));
}

TEST(report, says_what_was_done) {
  const auto found = euler_tour(forest_from("random_tree:n=40000").held(), "auto", {.threads = 3});
  EXPECT_EQ(found.report.variant, "threads.helman_jaja");
  EXPECT_EQ(found.report.device, "cpu");
  EXPECT_EQ(found.report.threads, 3u);
  std::set<std::string_view> phases;
  double seconds = 0;
  for (const phase& p : found.report.phases) phases.insert(p.name), seconds += p.seconds;
  EXPECT_EQ(phases, (std::set<std::string_view>{"components", "rows", "successors", "rank", "read"}));
  EXPECT_LE(seconds, found.report.solve_seconds);
}

TEST(memory, that_ends_is_a_typed_error_and_none_is_left_behind) {
  const graph forest = cut(forest_from("random_tree:n=5000,shuffle=1"), 20).held();
  const auto failures = failures_of([&](auto* memory) { euler_tour(forest, "auto", {.threads = 2, .memory = memory}); });
  EXPECT_GT(failures, 10u);
  EXPECT_LT(failures, 200u);
}

TEST(stopping, works_in_every_phase) {
  const graph forest = forest_from("random_tree:n=60000,shuffle=1").held();
  for (const unsigned threads : {1u, 2u}) {
    bool done = false;
    unsigned stopped = 0;
    for (unsigned patience = 0; !done; patience += 1 + patience / 4) {
      impatient watcher{patience};
      try {
        euler_tour(forest, "auto", {.threads = threads, .observer = &watcher});
        done = true;
      } catch (const cancelled&) {
        ++stopped;
      }
    }
    EXPECT_GT(stopped, 5u);
  }
}

}  // namespace
}  // namespace copse::test
