// Forests of many blocks: many threads find what one finds, and the proof agrees. root_forest takes tours where trees are deep.
#include <copse/build.hpp>
#include <copse/list_ranking.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/verify.hpp>
#include <drivers/rooting/tour.hpp>

#include "support/sweep_length.hpp"
#include "tree/tours.hpp"

namespace copse::test {
namespace {

std::vector<std::pair<std::string, plain_forest>> large_forests() {
  const std::string n = quick() ? "n=40000" : "n=300000";
  const auto many = static_cast<std::uint32_t>(std::stoul(n.substr(2)));
  std::vector<std::pair<std::string, plain_forest>> all;
  all.emplace_back("random tree", forest_from("random_tree:" + n + ",shuffle=1"));
  all.emplace_back("random tree in order", forest_from("random_tree:" + n));
  all.emplace_back("many trees", cut(forest_from("random_tree:" + n + ",shuffle=1"), 3));
  all.emplace_back("paths", cut(forest_from("path:" + n + ",shuffle=1"), 900));
  all.emplace_back("pairs", cut(forest_from("path:" + n + ",shuffle=1"), 2));
  all.emplace_back("star", forest_from("star:" + n));
  all.emplace_back("star of the last", mirrored(forest_from("star:" + n)));
  all.emplace_back("caterpillar", caterpillar(many, 500));
  all.emplace_back("caterpillar from its end", mirrored(caterpillar(many, 11)));
  all.emplace_back("trees behind isolated vertices", [&] {
    auto joined = cut(forest_from("random_tree:" + n), 1);  // nothing is left
    for (std::uint32_t v = many / 2; v + 1 < many; ++v) joined.edges.push_back({v, v + 1});
    return joined;
  }());
  return all;
}

TEST(large, forests_are_toured_alike_by_one_thread_and_many) {
  for (const auto& [what, forest] : large_forests()) {
    const graph held = forest.held();
    const auto expected = plain(euler_tour(held, "auto", {.threads = 1}).tour);
    ASSERT_EQ(expected, expected_tour(forest.n, forest.edges)) << what;
    for (const unsigned threads : {2u, 7u}) {
      const auto found = euler_tour(held, "auto", {.threads = threads});
      ASSERT_EQ(plain(found.tour), expected) << what << " on " << threads << " threads";
      const verdict proved = verify_tour(held, found.tour);
      ASSERT_TRUE(proved) << what << ": " << proved.reason;
    }
  }
}

TEST(large, forests_are_toured_alike_by_every_ranking) {
  const graph held = cut(forest_from("random_tree:n=30000,shuffle=1"), 50).held();
  const auto expected = plain(euler_tour(held, "serial.walk", {.threads = 1}).tour);
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (v.backend != "serial" && v.backend != "threads") continue;
    const auto found = euler_tour(held, v.name, {.threads = 2});
    ASSERT_EQ(plain(found.tour), expected) << v.name;
    ASSERT_EQ(found.report.variant, v.name);
  }
}

TEST(large, of_wide_ids) {
  const auto forest = cut(forest_from("random_tree:n=20000,shuffle=1"), 40);
  const graph wide = forest_of<std::uint64_t>(forest.n, forest.edges);
  for (const unsigned threads : {1u, 3u}) {
    const auto found = euler_tour(wide, "auto", {.threads = threads});
    EXPECT_EQ(found.tour.held().index(), 1u);
    EXPECT_EQ(plain(found.tour), expected_tour(forest.n, forest.edges));
    EXPECT_TRUE(verify_tour(wide, found.tour));
  }
}

/// As beyond 2^31 edges: ids of 32 bits, arcs of 64.
TEST(large, of_wide_offsets) {
  const auto forest = cut(forest_from("random_tree:n=20000,shuffle=1"), 40);
  const coo_view<std::uint32_t> list{forest.n, forest.edges};
  const auto rows = build_rows<std::uint32_t, std::uint64_t>(list, {}, {});
  const auto labels = reference_labels(list);
  for (const unsigned threads : {1u, 3u}) {
    solve_report report;
    phase_times times;
    const forest_tour found{drivers::tour(rows.view(), std::span<const std::uint32_t>{labels}, "auto", {.threads = threads}, report, times),
                            vertex_names::identity(forest.n)};
    EXPECT_EQ(plain(found), expected_tour(forest.n, forest.edges));
  }
}

TEST(root_forest, is_the_same_by_levels_and_by_tour) {
  for (const auto& [what, forest] : large_forests()) {
    const graph held = forest.held();
    const auto tour = euler_tour(held).tour;
    for (const unsigned threads : {1u, 7u}) {
      const auto trees = root_forest(held, {.threads = threads});
      for (std::uint64_t v = 0; v < forest.n; ++v) {
        ASSERT_EQ(trees.parent(v), tour.parent(v)) << what << ", vertex " << v;
        ASSERT_EQ(trees.depth(v), tour.depth(v)) << what << ", vertex " << v;
      }
    }
  }
}

}  // namespace
}  // namespace copse::test
