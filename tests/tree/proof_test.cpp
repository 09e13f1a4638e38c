// The proof of tours accepts right ones, and refuses every number that is off, and tours that are right of something else.
#include <copse/verify.hpp>

#include "tree/tours.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

template <class Id = id>
forest_tour tour_of(const plain_tour& from) {
  const auto copy = [](const std::vector<std::uint64_t>& numbers) {
    buffer<Id> result{numbers.size()};
    std::ranges::transform(numbers, result.begin(), [](std::uint64_t number) { return static_cast<Id>(number); });
    return result;
  };
  return {forest_tour::arrays<Id>{copy(from.parents), copy(from.depths), copy(from.sizes), copy(from.preorder), copy(from.order)},
          vertex_names::identity(from.parents.size())};
}

std::string fault(const plain_forest& forest, const plain_tour& tour) {
  const verdict found = verify_tour(forest.held(), tour_of(tour));
  EXPECT_EQ(static_cast<bool>(found), found.reason.empty());
  return found.reason;
}

const auto all_arrays = {&plain_tour::parents, &plain_tour::depths, &plain_tour::sizes, &plain_tour::preorder, &plain_tour::order};

plain_forest example() { return cut(forest_from("random_tree:n=60,shuffle=1"), 11); }

TEST(tour_proof, accepts_right_tours) {
  for (const auto& forest : {example(), caterpillar(50, 3), plain_forest{3, {}}, plain_forest{0, {}}}) {
    const auto right = expected_tour(forest.n, forest.edges);
    EXPECT_EQ(fault(forest, right), "");
    const verdict wide = verify_tour(forest_of<std::uint64_t>(forest.n, forest.edges), tour_of<std::uint64_t>(right));
    EXPECT_TRUE(wide) << wide.reason;
    EXPECT_EQ(wide.components, forest.n - forest.edges.size());
  }
}

TEST(tour_proof, refuses_every_number_that_is_off) {
  const auto forest = example();
  const auto right = expected_tour(forest.n, forest.edges);
  for (const auto array : all_arrays) {
    for (std::size_t v = 0; v < forest.n; ++v) {
      for (const std::uint64_t number : {(right.*array)[v] + 1, (right.*array)[v] - 1, std::uint64_t{0}, std::uint64_t{v},
                                         std::uint64_t{forest.n}, std::uint64_t{0xFFFFFFFF}}) {
        if (number == (right.*array)[v]) continue;
        auto wrong = right;
        (wrong.*array)[v] = number;
        EXPECT_NE(fault(forest, wrong), "") << v << " became " << number;
      }
    }
  }
}

TEST(tour_proof, refuses_two_numbers_that_changed_places) {
  const auto forest = example();
  const auto right = expected_tour(forest.n, forest.edges);
  for (const auto array : all_arrays) {
    for (std::size_t a = 0; a < forest.n; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        auto wrong = right;
        std::swap((wrong.*array)[a], (wrong.*array)[b]);
        if (wrong == right) continue;
        EXPECT_NE(fault(forest, wrong), "") << a << " and " << b;
      }
    }
  }
}

/// The tour of a forest whose vertices are called otherwise, in terms of these: right but for the order of ids.
plain_tour renamed(const plain_forest& forest, const std::vector<id>& to) {
  auto other = forest;
  for (auto& e : other.edges) e = {to[e.u], to[e.v]};
  const auto tour = expected_tour(other.n, other.edges);
  std::vector<id> back(to.size());
  for (id v = 0; v < to.size(); ++v) back[to[v]] = v;
  plain_tour result = tour;
  for (id v = 0; v < forest.n; ++v) {
    result.parents[v] = back[tour.parents[to[v]]];
    result.depths[v] = tour.depths[to[v]];
    result.sizes[v] = tour.sizes[to[v]];
    result.preorder[v] = tour.preorder[to[v]];
    result.order[v] = back[tour.order[v]];
  }
  return result;
}

TEST(tour_proof, refuses_other_roots_and_other_orders) {
  const auto path = plain_forest{3, {{0, 1}, {1, 2}}};
  EXPECT_EQ(fault(path, renamed(path, {0, 1, 2})), "");
  EXPECT_EQ(fault(path, renamed(path, {2, 1, 0})), "vertex 1 is below the root 2, which is larger");
  EXPECT_NE(fault(path, renamed(path, {1, 0, 2})), "");
  const auto star = plain_forest{3, {{0, 1}, {0, 2}}};
  EXPECT_EQ(fault(star, renamed(star, {0, 2, 1})), "vertex 1 has place 2, expected 1");
  const auto trees = plain_forest{4, {{0, 2}, {1, 3}}};
  EXPECT_EQ(fault(trees, renamed(trees, {1, 0, 3, 2})), "vertex 0 has place 2, expected 0");
  // Whatever the new names, the old tour is the only one that is right.
  const auto forest = example();
  const auto right = expected_tour(forest.n, forest.edges);
  std::vector<id> names(forest.n);
  for (id v = 0; v < forest.n; ++v) names[v] = v;
  for (id turn = 0; turn < 300; ++turn) {
    std::swap(names[turn * 7 % forest.n], names[turn * 13 % forest.n]);
    const auto other = renamed(forest, names);
    EXPECT_EQ(fault(forest, other).empty(), other == right);
  }
}

TEST(tour_proof, refuses_other_forests) {
  const auto forest = example();
  const auto right = expected_tour(forest.n, forest.edges);
  for (std::size_t i = 0; i < forest.edges.size(); ++i) {
    auto other = forest;
    other.edges.erase(other.edges.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(fault(other, right), "");  // an edge is missing
    EXPECT_NE(fault(forest, expected_tour(other.n, other.edges)), "");
    other.edges.push_back(forest.edges[i == 0 ? 1 : 0]);
    EXPECT_NE(fault(other, right), "");  // and another is there twice
  }
  auto more = forest;
  more.edges.push_back({5, 5});
  EXPECT_EQ(fault(more, right), "the forest's edge of vertices 5 and 5 hangs neither on the other");
}

TEST(tour_proof, says_what_is_wrong) {
  const plain_forest forest{4, {{0, 1}, {1, 2}}};
  const auto right = expected_tour(forest.n, forest.edges);
  const auto reason = [&](auto spoil) {
    auto wrong = right;
    spoil(wrong);
    return fault(forest, wrong);
  };
  EXPECT_EQ(reason([](auto& t) { t.parents[2] = 0; }), "the forest's edge of vertices 1 and 2 hangs neither on the other");
  EXPECT_EQ(reason([](auto& t) { t.parents[3] = 0; }), "vertex 3 has a parent without an edge of the forest");
  EXPECT_EQ(reason([](auto& t) { t.depths[2] = 1; }), "vertex 2 has depth 1, expected 2");
  EXPECT_EQ(reason([](auto& t) { t.sizes[1] = 3; }), "vertex 0 has size 3, expected 4");
  EXPECT_EQ(reason([](auto& t) { t.preorder[2] = 4; }), "vertex 2 has place 4 in an order of 4");
  EXPECT_EQ(reason([](auto& t) { std::swap(t.order[0], t.order[1]); }), "vertex 0 has place 0, where the order has another");
  EXPECT_EQ(reason([](auto& t) { t.sizes.pop_back(); }), "arrays of 4 and of 3 numbers");
  EXPECT_EQ(verify_tour(forest_of(3u, {}), tour_of(right)).reason, "a tour of 4 vertices for a forest of 3");
  EXPECT_EQ(verify_tour(gen::generate("path:n=4"), tour_of(right)).reason, "a forest of rows, expected a list of edges");
  EXPECT_EQ(fault({4, {{0, 1}, {1, 4}}}, right), "the forest joins vertices 1 and 4 of 4");
}

}  // namespace
}  // namespace copse::test
