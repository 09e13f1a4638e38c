// root_forest(): parents that are the forest's edges, depths that count them, and the smallest vertex of each tree on top.
#include <copse/errors.hpp>
#include <copse/generate.hpp>

#include <set>
#include <utility>
#include <vector>

#include "forests.hpp"
#include "support/forests.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

void expect_rooted(const rooted_forest& trees, const graph& forest, const std::vector<std::uint32_t>& labels, const std::string& what) {
  ASSERT_EQ(trees.vertices(), labels.size()) << what;
  std::set<std::pair<std::uint64_t, std::uint64_t>> edges;
  for (const auto& e : std::get<coo<std::uint32_t>>(forest.shape()).edges) edges.insert(std::minmax<std::uint64_t>(e.u, e.v));
  std::size_t hung = 0;
  for (std::uint32_t v = 0; v < labels.size(); ++v) {
    const auto parent = trees.parent(v);
    if (parent == v) {
      ASSERT_EQ(labels[v], v) << what;
      ASSERT_EQ(trees.depth(v), 0u) << what;
      continue;
    }
    ASSERT_TRUE(edges.contains(std::minmax<std::uint64_t>(parent, v))) << what << ": vertex " << v;
    ASSERT_EQ(trees.depth(v), trees.depth(parent) + 1) << what << ": vertex " << v;
    ++hung;
  }
  EXPECT_EQ(hung, edges.size()) << what;
}

TEST(root_forest, of_every_zoo_graph) {
  for (const auto& g : solved_zoo()) {
    for (const unsigned threads : {1u, 7u}) {
      const auto found = spanning_forest(graph_view{g.edges.view()}, {}, {.threads = threads});
      expect_rooted(root_forest(found.edges, {.threads = threads}), found.edges, g.labels, context(g, threads, "coo"));
      if (HasFailure()) return;
    }
  }
}

TEST(root_forest, of_levels_that_take_a_team_and_levels_that_do_not) {
  // A star of long legs: wide levels; a path: one vertex a level.
  edges32 legs;
  constexpr std::uint32_t leg_count = 6000, length = 4;
  for (std::uint32_t leg = 0; leg < leg_count; ++leg) {
    for (std::uint32_t k = 0; k < length; ++k) legs.push_back({k == 0 ? 0 : 1 + leg * length + k - 1, 1 + leg * length + k});
  }
  const auto star = forest_of(leg_count * length + 1, legs);
  const auto one = root_forest(star, {.threads = 1}), many = root_forest(star, {.threads = 7});
  for (std::uint64_t v = 0; v < star.vertices(); ++v) {
    ASSERT_EQ(many.parent(v), v == 0 ? 0 : (v - 1) % length == 0 ? 0 : v - 1);
    ASSERT_EQ(many.depth(v), v == 0 ? 0 : (v - 1) % length + 1);
    ASSERT_EQ(one.parent(v), many.parent(v));
    ASSERT_EQ(one.depth(v), many.depth(v));
  }
  const auto path = gen::generate_edges("path:n=50000");
  EXPECT_EQ(root_forest(path, {.threads = 2}).depth(49999), 49999u);
}

TEST(root_forest, of_wide_ids_and_of_nothing) {
  const auto trees = root_forest(forest_of<std::uint64_t>(4, {{3, 1}, {1, 2}}));
  EXPECT_EQ(trees.parent(3), 1u);
  EXPECT_EQ(trees.depth(2), 1u);
  EXPECT_EQ(trees.parent(0), 0u);
  EXPECT_EQ(root_forest(forest_of(0u, {})).vertices(), 0u);
}

TEST(root_forest, refuses_what_is_no_forest) {
  const auto text_of = [](const graph& forest) { return thrown<usage_error>([&] { root_forest(forest); }); };
  EXPECT_EQ(text_of(forest_of(3u, {{0, 1}, {1, 2}, {2, 0}})), "the edges must be a forest; the edge of vertices 2 and 0 closes a cycle");
  EXPECT_EQ(text_of(forest_of(3u, {{0, 1}, {1, 0}})), "the edges must be a forest; the edge of vertices 1 and 0 closes a cycle");
  EXPECT_EQ(text_of(forest_of(3u, {{1, 3}})), "vertices must be below 3, not 1 and 3");
  EXPECT_EQ(text_of(gen::generate("path:n=3")), "the forest must be held as a list of edges, not as rows");
}

}  // namespace
}  // namespace copse::test
