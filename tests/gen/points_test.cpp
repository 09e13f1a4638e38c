// Geometric graphs and graphs of nearest neighbours against their definitions: every pair of points is looked at, in 128-bit integers.
#include <gtest/gtest.h>
#include <gen/recipe.hpp>

#include <cmath>

#include "structure.hpp"

namespace copse::test {
namespace {

__extension__ using wide = __int128;

struct point {
  std::int64_t x, y;
};

wide squared(point a, point b) {
  const wide x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}

template <class Edges>
Edges family_of(const std::string& spec) {
  return std::get<Edges>(gen::recipe_of(spec).family);
}

/// In the order of their numbers.
std::vector<point> points_of(const gen::point_cells& in) {
  std::vector<point> all;
  for (std::uint64_t cell = 0; cell < in.cells(); ++cell) {
    for (unsigned i = 0; i < in.points(cell); ++i) {
      const auto at = in.at(cell, i);
      all.push_back({at.x, at.y});
      EXPECT_EQ(static_cast<std::uint64_t>(at.y >> 20) * in.side + static_cast<std::uint64_t>(at.x >> 20), cell);
    }
  }
  return all;
}

using pair_set = std::set<std::pair<std::uint32_t, std::uint32_t>>;

TEST(geometric, joins_exactly_the_pairs_within_the_radius) {
  for (const auto& [size, degree] :
       {std::pair{"n=900", 4}, std::pair{"n=900", 30}, std::pair{"n=900,seed=3", 150}, std::pair{"n=50", 1000}, std::pair{"n=3", 8}}) {
    const std::string spec = std::string{"geometric:"} + size + ",degree=" + std::to_string(degree);
    const auto points = points_of(family_of<gen::geometric_edges>(spec));
    const auto list = edges_of(spec);
    ASSERT_EQ(list.vertex_count, points.size()) << spec;
    EXPECT_TRUE(is_simple(list)) << spec;
    pair_set found, expected;
    for (const auto e : list.edges) found.insert(std::minmax(e.u, e.v));
    const double radius = std::sqrt(degree / (4 * M_PI)) * 1048576;
    for (std::uint32_t u = 0; u < points.size(); ++u) {
      for (std::uint32_t v = u + 1; v < points.size(); ++v) {
        const double distance = std::sqrt(static_cast<double>(squared(points[u], points[v])));
        if (distance <= radius) expected.insert({u, v});
        ASSERT_GT(std::abs(distance - radius), 1e-3) << "too near to tell in doubles";
      }
    }
    EXPECT_EQ(found, expected) << spec;
  }
}

TEST(geometric, has_the_mean_degree_inside_and_about_n_points) {
  const auto list = edges_of("geometric:n=40000,degree=10");
  EXPECT_NEAR(list.vertex_count, 40000, 5 * 200);
  const auto points = points_of(family_of<gen::geometric_edges>("geometric:n=40000,degree=10"));
  const auto degrees = degrees_of(list);
  double sum = 0, inside = 0;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const auto in = [](std::int64_t c) { return c >= 1 << 20 && c < std::int64_t{99} << 20; };
    if (in(points[v].x) && in(points[v].y)) sum += degrees[v], ++inside;
  }
  EXPECT_NEAR(sum / inside, 10, .3);
}

TEST(knn, joins_every_point_to_its_k_nearest) {
  for (const auto& [size, k] : {std::pair{"n=900", 1u}, std::pair{"n=900", 4u}, std::pair{"n=900,seed=3", 32u}, std::pair{"n=40", 32u},
                                std::pair{"n=2", 5u}, std::pair{"n=1,seed=2", 32u}}) {
    const std::string spec = std::string{"knn:"} + size + ",k=" + std::to_string(k);
    const auto points = points_of(family_of<gen::knn_edges>(spec));
    const auto list = edges_of(spec);
    ASSERT_EQ(list.vertex_count, points.size()) << spec;
    std::vector<std::vector<std::uint32_t>> found(points.size());
    for (const auto e : list.edges) found[e.u].push_back(e.v);
    for (std::uint32_t u = 0; u < points.size(); ++u) {
      ids others;
      for (std::uint32_t v = 0; v < points.size(); ++v) {
        if (v != u) others.push_back(v);
      }
      std::ranges::stable_sort(others, {}, [&](std::uint32_t v) { return squared(points[u], points[v]); });
      others.resize(std::min<std::size_t>(others.size(), k));
      EXPECT_EQ(found[u], others) << spec << ", " << u;
    }
  }
}

TEST(points, are_spread_like_a_poisson_process) {
  const auto cells = family_of<gen::knn_edges>("knn:n=160000");
  double sum = 0, squares = 0, empty = 0;
  for (std::uint64_t cell = 0; cell < cells.cells(); ++cell) {
    const double points = cells.points(cell);
    sum += points, squares += points * points, empty += points == 0 ? 1 : 0;
  }
  const auto n = static_cast<double>(cells.cells());
  EXPECT_EQ(n, 40000);
  EXPECT_NEAR(sum / n, 4, .05);
  EXPECT_NEAR(squares / n - sum / n * (sum / n), 4, .15);
  EXPECT_NEAR(empty / n, std::exp(-4), .004);
}

}  // namespace
}  // namespace copse::test
