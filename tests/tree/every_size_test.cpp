// Forests of every size from 0 to 300, on 1, 2 and 7 threads, against a walk by definition.
#include <copse/verify.hpp>

#include <functional>

#include "support/sweep_length.hpp"
#include "tree/tours.hpp"

namespace copse::test {
namespace {

void expect_right(const plain_forest& forest, const std::string& what) {
  const auto expected = expected_tour(forest.n, forest.edges);
  const graph held = forest.held();
  for (const unsigned threads : {1u, 2u, 7u}) {
    const auto found = euler_tour(held, "auto", {.threads = threads});
    ASSERT_EQ(plain(found.tour), expected) << what << " on " << threads << " threads";
    const verdict proved = verify_tour(held, found.tour);
    ASSERT_TRUE(proved) << what << ": " << proved.reason;
    ASSERT_EQ(proved.vertices, forest.n);
    ASSERT_EQ(proved.components, forest.n - forest.edges.size());
  }
}

void expect_right_of_every_size(const std::function<plain_forest(std::uint32_t)>& forest) {
  for (std::uint32_t n = 0; n <= 300; n += quick() && n > 40 ? 37 : 1) {
    expect_right(forest(n), "n = " + std::to_string(n));
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::string spec(const std::string& family, std::uint32_t n, const std::string& parameters = "") {
  return family + ":n=" + std::to_string(n) + ",seed=" + std::to_string(n) + parameters;
}

TEST(every_size, of_random_trees) {
  expect_right_of_every_size([](auto n) { return forest_from(spec("random_tree", n, n % 3 == 0 ? "" : ",shuffle=1")); });
}
TEST(every_size, of_random_forests) {
  expect_right_of_every_size([](auto n) { return cut(forest_from(spec("random_tree", n, ",shuffle=1")), 2 + n % 7); });
}
TEST(every_size, of_paths) {
  expect_right_of_every_size([](auto n) { return forest_from(spec("path", n, n % 2 == 0 ? "" : ",shuffle=1")); });
}
TEST(every_size, of_cut_paths) {
  expect_right_of_every_size([](auto n) { return cut(forest_from(spec("path", n, ",shuffle=1")), 1 + n % 5); });
}
TEST(every_size, of_stars) {
  expect_right_of_every_size([](auto n) { return forest_from(spec("star", n)); });
  expect_right_of_every_size([](auto n) { return mirrored(forest_from(spec("star", n))); });
  expect_right_of_every_size([](auto n) { return forest_from(spec("star", n, ",shuffle=1")); });
}
TEST(every_size, of_caterpillars) {
  expect_right_of_every_size([](auto n) { return caterpillar(n, 1 + n % 12); });
  expect_right_of_every_size([](auto n) { return mirrored(caterpillar(n, 1 + n % 9)); });
}
TEST(every_size, of_isolated_vertices) {
  expect_right_of_every_size([](auto n) { return plain_forest{n, {}}; });
  expect_right_of_every_size([](auto n) {  // one edge among them
    return n < 2 ? plain_forest{n, {}} : plain_forest{n, {{n / 3, n - 1}}};
  });
}

/// Every labelled tree of up to 6 vertices, by its Prüfer sequence.
TEST(every_tree, of_up_to_six_vertices) {
  for (std::uint32_t n = 3; n <= 6; ++n) {
    std::uint32_t all = 1;
    for (std::uint32_t i = 2; i < n; ++i) all *= n;
    for (std::uint32_t code = 0; code < all; ++code) {
      std::vector<std::uint32_t> word, degrees(n, 1);
      for (std::uint32_t i = 2, remainder = code; i < n; ++i, remainder /= n) word.push_back(remainder % n);
      for (const auto v : word) ++degrees[v];
      plain_forest tree{n, {}};
      const auto join_leaf = [&](std::uint32_t to) {
        const auto leaf = static_cast<std::uint32_t>(std::ranges::find(degrees, 1u) - degrees.begin());
        tree.edges.push_back({leaf, to});
        --degrees[leaf], --degrees[to];
      };
      for (const auto v : word) join_leaf(v);
      const auto first = static_cast<std::uint32_t>(std::ranges::find(degrees, 1u) - degrees.begin());
      const auto last = static_cast<std::uint32_t>(std::find(degrees.begin() + first + 1, degrees.end(), 1u) - degrees.begin());
      tree.edges.push_back({last, first});
      expect_right(tree, std::to_string(n) + " vertices, code " + std::to_string(code));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(every_order, of_the_same_edges_gives_the_same_tour) {
  auto forest = cut(forest_from("random_tree:n=200,shuffle=1"), 9);
  const auto expected = plain(euler_tour(forest.held()).tour);
  for (int turn = 0; turn < 20; ++turn) {
    std::rotate(forest.edges.begin(), forest.edges.begin() + 7, forest.edges.end());
    std::swap(forest.edges[0], forest.edges[static_cast<std::size_t>(turn) * 5]);
    for (std::size_t i = 0; i < forest.edges.size(); i += 3) std::swap(forest.edges[i].u, forest.edges[i].v);
    ASSERT_EQ(plain(euler_tour(forest.held()).tour), expected);
  }
}

}  // namespace
}  // namespace copse::test
