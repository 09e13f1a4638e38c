// What each family promises: sizes, degrees, components.
#include "structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace copse::test {
namespace {

TEST(path, is_a_path) {
  const auto list = edges_of("path:n=1000");
  EXPECT_EQ(list.vertex_count, 1000u);
  EXPECT_EQ(components_of(list), 1u);
  EXPECT_EQ(degree_counts(list), (std::map<std::uint32_t, int>{{1, 2}, {2, 998}}));
  EXPECT_EQ(edges_of("path:n=1").edges.size(), 0u);
  EXPECT_EQ(edges_of("path:n=0").vertex_count, 0u);
}

TEST(star, has_one_centre) {
  EXPECT_EQ(degree_counts(edges_of("star:n=1000")), (std::map<std::uint32_t, int>{{1, 999}, {999, 1}}));
  EXPECT_EQ(degrees_of(edges_of("star:n=5"))[0], 4u);
}

TEST(complete, has_all_pairs) {
  for (const char* spec : {"complete:n=30", "complete:n=31"}) {
    const auto list = edges_of(spec);
    EXPECT_EQ(list.edges.size(), list.vertex_count * (list.vertex_count - 1) / 2);
    EXPECT_TRUE(is_simple(list));
  }
}

TEST(grid2d, has_corners_borders_and_inside) {
  const auto list = edges_of("grid2d:rows=20,cols=30");
  EXPECT_EQ(degree_counts(list), (std::map<std::uint32_t, int>{{2, 4}, {3, 2 * 18 + 2 * 28}, {4, 18 * 28}}));
  EXPECT_TRUE(is_simple(list));
  for (const edge<std::uint32_t> e : list.edges) EXPECT_TRUE(e.v == e.u + 30 || (e.v == e.u + 1 && e.v % 30 != 0));
  EXPECT_EQ(components_of(list), 1u);
  EXPECT_EQ(edges_of("grid2d:side=25").edges.size(), 2u * 25 * 24);
  EXPECT_EQ(edges_of("grid2d:rows=1,cols=50").edges.size(), 49u);
  EXPECT_EQ(edges_of("grid2d:rows=50,cols=1").edges.size(), 49u);
  EXPECT_EQ(components_of(edges_of("grid2d:rows=50,cols=1")), 1u);
}

TEST(torus2d, is_4_regular) {
  for (const char* spec : {"torus2d:side=3", "torus2d:side=20"}) {
    const auto list = edges_of(spec);
    EXPECT_EQ(degree_counts(list), (std::map<std::uint32_t, int>{{4, static_cast<int>(list.vertex_count)}}));
    EXPECT_TRUE(is_simple(list));
    EXPECT_EQ(components_of(list), 1u);
  }
}

TEST(mesh, has_six_neighbours_inside) {
  const auto list = edges_of("mesh:side=20");
  EXPECT_TRUE(is_simple(list));
  const ids degrees = degrees_of(list);
  for (std::uint32_t y = 1; y < 19; ++y) {
    for (std::uint32_t x = 1; x < 19; ++x) EXPECT_EQ(degrees[y * 20 + x], 6u);
  }
  EXPECT_EQ(degrees[0], 3u);
  EXPECT_EQ(degrees[19], 2u);
  EXPECT_EQ(edges_of("mesh:side=1").edges.size(), 0u);
}

TEST(osm, keeps_its_share_of_streets_and_subdivides_them) {
  const auto list = edges_of("osm:side=200,keep=.6");
  const double streets = 2.0 * 200 * 199 * .6;
  EXPECT_NEAR(list.vertex_count, 40000 + 2 * streets, 1000);  // chains of 0 to 4, mean 2
  EXPECT_TRUE(is_simple(list));
  const ids degrees = degrees_of(list);
  for (std::size_t v = 40000; v < degrees.size(); ++v) ASSERT_EQ(degrees[v], 2u) << "chain vertex " << v;
  EXPECT_NEAR(static_cast<double>(list.edges.size()), 3 * streets, 1500);
  EXPECT_EQ(components_of(edges_of("osm:side=30,keep=1")), 1u);
  EXPECT_EQ(edges_of("osm:side=30,keep=0").vertex_count, 900u);
  EXPECT_EQ(edges_of("osm:side=30,keep=0").edges.size(), 0u);
}

TEST(er, with_m_has_m_different_pairs) {
  for (const char* spec : {"er:n=300,m=4000", "er:n=10,m=45", "er:n=11,m=55", "er:n=2,m=1", "er:n=300,m=4000,seed=9"}) {
    const auto list = edges_of(spec);
    EXPECT_TRUE(is_simple(list)) << spec;
  }
  EXPECT_EQ(edges_of("er:n=300,m=4000").edges.size(), 4000u);
}

TEST(er, with_m_is_uniform_over_pairs) {
  // Ten pairs of five vertices, three of them chosen, 3,000 seeds: each pair about 900 times (deviation 25).
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> hits;
  for (int seed = 0; seed < 3000; ++seed) {
    for (const auto e : edges_of("er:n=5,m=3,seed=" + std::to_string(seed)).edges) ++hits[std::minmax(e.u, e.v)];
  }
  EXPECT_EQ(hits.size(), 10u);
  for (const auto& [pair, count] : hits) EXPECT_NEAR(count, 900, 130);
}

TEST(er, with_p_has_the_mean_and_the_variance_of_independent_pairs) {
  const struct {
    const char* n_and_p;
    double pairs;
    double p;
  } cases[] = {{"n=200,p=.01", 19900, .01}, {"n=200,p=.5", 19900, .5}, {"n=101,p=.93", 5050, .93}, {"n=64,p=.2", 2016, .2}};
  for (const auto& c : cases) {
    double sum = 0;
    double squares = 0;
    constexpr int runs = 400;
    for (int seed = 0; seed < runs; ++seed) {
      const auto list = edges_of(std::string{"er:"} + c.n_and_p + ",seed=" + std::to_string(seed));
      if (seed < 5) {
        EXPECT_TRUE(is_simple(list));
      }
      const auto m = static_cast<double>(list.edges.size());
      sum += m;
      squares += m * m;
    }
    const double mean = sum / runs;
    const double variance = squares / runs - mean * mean;
    const double expected = c.pairs * c.p * (1 - c.p);
    EXPECT_NEAR(mean, c.pairs * c.p, 5 * std::sqrt(expected / runs)) << c.n_and_p;
    EXPECT_NEAR(variance / expected, 1, .4) << c.n_and_p;
  }
}

TEST(er, with_p_is_uniform_over_pairs) {
  // 15 pairs, probability .3, 4,000 seeds: each pair about 1,200 times (deviation 29), each two of them together about 360 times.
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> hits;
  std::map<std::size_t, int> sizes;
  for (int seed = 0; seed < 4000; ++seed) {
    const auto list = edges_of("er:n=6,p=.3,seed=" + std::to_string(seed));
    ++sizes[list.edges.size()];
    for (const auto e : list.edges) ++hits[std::minmax(e.u, e.v)];
  }
  EXPECT_EQ(hits.size(), 15u);
  for (const auto& [pair, count] : hits) EXPECT_NEAR(count, 1200, 150);
  EXPECT_NEAR(sizes[4], 4000 * .2186, 130);  // C(15, 4) .3^4 .7^11
}

TEST(er, with_p_of_0_and_1) {
  EXPECT_EQ(edges_of("er:n=100,p=0").edges.size(), 0u);
  EXPECT_EQ(edges_of("er:n=100,p=1").edges.size(), 4950u);
  EXPECT_EQ(edges_of("er:n=0,p=.5").edges.size(), 0u);
  EXPECT_EQ(edges_of("er:n=1,p=.5").vertex_count, 1u);
}

TEST(er, connects_when_the_theory_says_so) {
  EXPECT_GT(components_of(edges_of("er:n=2000,m=800")), 1000u);
  EXPECT_EQ(components_of(edges_of("er:n=2000,m=20000")), 1u);
}

TEST(rmat, fills_the_quadrants_by_their_shares) {
  const auto list = edges_of("rmat:scale=12,edges=16");
  EXPECT_EQ(list.vertex_count, 4096u);
  EXPECT_EQ(list.edges.size(), 65536u);
  int quadrant[4] = {};
  int low[4] = {};
  for (const edge<std::uint32_t> e : list.edges) {
    ++quadrant[2 * (e.u >> 11) + (e.v >> 11)];
    ++low[2 * (e.u & 1) + (e.v & 1)];
  }
  const double expected[] = {.57, .19, .19, .05};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(quadrant[i] / 65536.0, expected[i], .01);
    EXPECT_NEAR(low[i] / 65536.0, expected[i], .01);
  }
  for (const edge<std::uint32_t> e : edges_of("rmat:scale=5,a=1,b=0,c=0").edges) EXPECT_EQ(e, (edge<std::uint32_t>{0, 0}));
  for (const edge<std::uint32_t> e : edges_of("rmat:scale=5,a=0,b=1,c=0").edges) EXPECT_EQ(e, (edge<std::uint32_t>{0, 31}));
  for (const edge<std::uint32_t> e : edges_of("rmat:scale=5,a=0,b=0,c=1").edges) EXPECT_EQ(e, (edge<std::uint32_t>{31, 0}));
  for (const edge<std::uint32_t> e : edges_of("rmat:scale=5,a=0,b=0,c=0").edges) EXPECT_EQ(e, (edge<std::uint32_t>{31, 31}));
}

TEST(ba, brings_k_edges_a_vertex_and_has_hubs) {
  const auto list = edges_of("ba:n=5000,k=4");
  const ids degrees = degrees_of(list);
  EXPECT_GE(*std::ranges::min_element(degrees), 4u);
  EXPECT_GT(*std::ranges::max_element(degrees), 150u);  // about k sqrt(n) = 280
  EXPECT_EQ(components_of(list), 1u);
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    ASSERT_EQ(list.edges[i].u, i / 4);
    ASSERT_LE(list.edges[i].v, list.edges[i].u);
  }
}

TEST(web, is_local_and_has_popular_pages) {
  const auto list = edges_of("web:n=100000,degree=20");
  EXPECT_EQ(list.edges.size(), 1'000'000u);
  const auto near = std::ranges::count_if(list.edges, [](const auto e) { return (e.u < e.v ? e.v - e.u : e.u - e.v) < 4096; });
  EXPECT_GT(near, 850'000);
  EXPECT_LT(near, 930'000);
  const ids degrees = degrees_of(list);
  EXPECT_GT(degrees[0], 10'000u);
  EXPECT_LT(degrees[50'000], 400u);
}

TEST(clusters, are_small_trees) {
  const auto list = edges_of("clusters:n=20000,size=20");
  const auto sizes = component_sizes_of(list);
  EXPECT_EQ(sizes.back(), 20u);
  EXPECT_NEAR(static_cast<double>(sizes.size()), 20000 / 11.0, 60);
  EXPECT_LE(std::ranges::count(sizes, 1u), 16);  // at most one a run of 1280
  EXPECT_EQ(list.edges.size(), 20000 - sizes.size());
  EXPECT_EQ(component_sizes_of(edges_of("clusters:n=7,size=2")), (std::vector<std::size_t>{1, 2, 2, 2}));
  EXPECT_EQ(edges_of("clusters:n=0").edges.size(), 0u);
}

TEST(random_tree, is_a_tree) {
  const auto list = edges_of("random_tree:n=3000");
  EXPECT_EQ(list.edges.size(), 2999u);
  EXPECT_EQ(components_of(list), 1u);
  EXPECT_EQ(edges_of("random_tree:n=0").edges.size(), 0u);
}

TEST(karate, is_the_club_of_the_paper) {
  const auto list = edges_of("karate");
  EXPECT_EQ(list.vertex_count, 34u);
  EXPECT_EQ(list.edges.size(), 78u);
  EXPECT_TRUE(is_simple(list));
  EXPECT_EQ(degrees_of(list),
            (ids{16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2, 2, 2, 2, 3, 2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17}));
  EXPECT_EQ(components_of(list), 1u);
}

TEST(shuffle, permutes_ids_and_nothing_else) {
  for (const std::string& spec : small_specs()) {
    const std::string separator = spec.find(':') == std::string::npos ? ":" : ",";
    const auto plain = edges_of(spec);
    const auto shuffled = edges_of(spec + separator + "shuffle=1");
    EXPECT_EQ(edges_of(spec + separator + "shuffle=0").edges.size(), plain.edges.size());
    ASSERT_EQ(plain.vertex_count, shuffled.vertex_count) << spec;
    ASSERT_EQ(plain.edges.size(), shuffled.edges.size()) << spec;
    EXPECT_FALSE(std::ranges::equal(plain.edges, shuffled.edges)) << spec;
    std::map<std::uint32_t, std::uint32_t> image;  // one bijection explains every edge
    std::set<std::uint32_t> taken;
    for (std::size_t i = 0; i < plain.edges.size(); ++i) {
      for (const auto& [from, to] : {std::pair{plain.edges[i].u, shuffled.edges[i].u}, std::pair{plain.edges[i].v, shuffled.edges[i].v}}) {
        const auto [at, fresh] = image.emplace(from, to);
        ASSERT_EQ(at->second, to) << spec;
        ASSERT_EQ(taken.insert(to).second, fresh) << spec;
      }
    }
    EXPECT_EQ(degree_counts(plain), degree_counts(shuffled)) << spec;
    EXPECT_EQ(component_sizes_of(plain), component_sizes_of(shuffled)) << spec;
  }
}

}  // namespace
}  // namespace copse::test
