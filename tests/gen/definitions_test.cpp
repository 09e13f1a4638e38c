// Families whose components, degrees or edges are known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "structure.hpp"

namespace copse::test {
namespace {

std::size_t pairs(std::size_t n) { return n * (n - 1) / 2; }

/// Is every component a clique?
bool all_cliques(const coo<std::uint32_t>& list) {
  std::size_t expected = 0;
  for (const std::size_t size : component_sizes_of(list)) expected += pairs(size);
  return is_simple(list) && list.edges.size() == expected;
}

TEST(cliques, have_one_size_and_the_last_what_is_left) {
  const auto list = edges_of("cliques:n=1003,size=7");
  EXPECT_TRUE(all_cliques(list));
  std::vector<std::size_t> expected(143, 7);
  expected.insert(expected.begin(), 2);
  EXPECT_EQ(component_sizes_of(list), expected);
  for (const auto e : list.edges) EXPECT_EQ(e.u / 7, e.v / 7);
  EXPECT_EQ(component_sizes_of(edges_of("cliques:n=20,size=10")), (std::vector<std::size_t>{10, 10}));
  EXPECT_EQ(component_sizes_of(edges_of("cliques:n=5,size=100")), (std::vector<std::size_t>{5}));
  EXPECT_EQ(edges_of("cliques:n=0").edges.size(), 0u);
}

TEST(power_cliques, have_sizes_of_a_power_law) {
  const struct {
    const char* spec;
    double exponent;
  } cases[] = {{"power_cliques:n=300000,size=100,exponent=2", 2},
               {"power_cliques:n=300000,size=100", 3},
               {"power_cliques:n=300000,size=100,exponent=4", 4}};
  for (const auto& c : cases) {
    const auto list = edges_of(c.spec);
    EXPECT_TRUE(all_cliques(list)) << c.spec;
    const auto sizes = component_sizes_of(list);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), 300000u);
    EXPECT_LE(sizes.back(), 100u);
    const auto cliques = static_cast<double>(sizes.size());
    for (const std::size_t least : {2, 3, 5}) {
      const double share = std::pow(static_cast<double>(least), 1 - c.exponent);  // P(size >= least)
      const auto found = static_cast<double>(sizes.end() - std::ranges::lower_bound(sizes, least));
      EXPECT_NEAR(found, cliques * share, 5 * std::sqrt(cliques * share) + 50) << c.spec << ", " << least;  // 50 runs are cut at their ends
    }
  }
  EXPECT_EQ(component_sizes_of(edges_of("power_cliques:n=300000,size=10,exponent=2")).back(), 10u);
}

TEST(clique_chain, is_one_component_of_cliques_and_bridges) {
  for (const auto& [n, size] : {std::pair{1003u, 7u}, std::pair{700u, 7u}, std::pair{8u, 8u}, std::pair{3u, 8u}, std::pair{50u, 1u}}) {
    const auto list = edges_of("clique_chain:n=" + std::to_string(n) + ",size=" + std::to_string(size));
    EXPECT_TRUE(is_simple(list));
    EXPECT_EQ(components_of(list), 1u);
    const std::size_t cliques = (n + size - 1) / size;
    EXPECT_EQ(list.edges.size(), n / size * pairs(size) + pairs(n % size) + cliques - 1);
    std::size_t bridges = 0;
    for (const auto e : list.edges) {
      if (e.u / size == e.v / size) continue;
      ++bridges;
      EXPECT_EQ(e.v, e.u + 1);
      EXPECT_EQ(e.v % size, 0u);
    }
    EXPECT_EQ(bridges, cliques - 1);
  }
}

TEST(giants, are_k_components_of_one_size) {
  const auto list = edges_of("giants:k=6,size=500");
  EXPECT_EQ(list.vertex_count, 3000u);
  EXPECT_EQ(component_sizes_of(list), std::vector<std::size_t>(6, 500));
  EXPECT_EQ(list.edges.size(), 6u * (499 + 3 * 500));
  EXPECT_EQ(edges_of("giants:k=6,size=500,edges=0").edges.size(), 6u * 499);
  EXPECT_EQ(component_sizes_of(edges_of("giants:k=6,size=500,edges=0")), std::vector<std::size_t>(6, 500));
  EXPECT_EQ(component_sizes_of(edges_of("giants:k=3,size=1,edges=2")), std::vector<std::size_t>(3, 1));
  // Giants differ from each other.
  const std::size_t per_giant = list.edges.size() / 6;
  std::size_t same = 0;
  for (std::size_t i = 0; i < per_giant; ++i) same += list.edges[i].v + 500 == list.edges[per_giant + i].v ? 1 : 0;
  EXPECT_LT(same, 100u);
}

TEST(bipartite, joins_left_to_right) {
  for (const char* spec : {"bipartite:left=300,right=500,m=20000", "bipartite:left=300,right=500,m=20000,skew=3"}) {
    const auto list = edges_of(spec);
    EXPECT_EQ(list.vertex_count, 800u);
    EXPECT_EQ(list.edges.size(), 20000u);
    EXPECT_TRUE(std::ranges::all_of(list.edges, [](const auto e) { return e.u < 300 && e.v >= 300 && e.v < 800; })) << spec;
    // P(a right end below x) = (x / right)^(1 / (skew + 1)).
    const double power = std::string_view{spec}.ends_with("skew=3") ? .25 : 1;
    for (const unsigned x : {5u, 50u, 250u}) {
      const auto found = std::ranges::count_if(list.edges, [x](const auto e) { return e.v - 300 < x; });
      EXPECT_NEAR(static_cast<double>(found), 20000 * std::pow(x / 500., power), 350) << spec;
    }
    EXPECT_NEAR(static_cast<double>(std::ranges::count_if(list.edges, [](const auto e) { return e.u < 30; })), 2000, 220);
  }
}

TEST(torus3d, is_6_regular) {
  for (const char* spec : {"torus3d:side=3", "torus3d:side=8"}) {
    const auto list = edges_of(spec);
    EXPECT_EQ(degree_counts(list), (std::map<std::uint32_t, int>{{6, static_cast<int>(list.vertex_count)}}));
    EXPECT_TRUE(is_simple(list));
    EXPECT_EQ(components_of(list), 1u);
  }
  EXPECT_EQ(edges_of("torus3d:side=8").vertex_count, 512u);
  for (const auto e : edges_of("torus3d:side=8").edges) {
    unsigned differing = 0;
    for (const unsigned step : {1u, 8u, 64u}) {
      const unsigned a = e.u / step % 8, b = e.v / step % 8;
      differing += a == b ? 0 : 1;
      EXPECT_TRUE(a == b || (a + 1) % 8 == b);
    }
    EXPECT_EQ(differing, 1u);
  }
}

TEST(caterpillar, has_a_spine_and_legs) {
  const auto list = edges_of("caterpillar:n=1000,legs=4");
  EXPECT_EQ(components_of(list), 1u);
  EXPECT_EQ(list.edges.size(), 999u);
  EXPECT_EQ(degree_counts(list), (std::map<std::uint32_t, int>{{1, 800}, {5, 2}, {6, 198}}));
  EXPECT_EQ(degree_counts(edges_of("caterpillar:n=1000,legs=0")), (std::map<std::uint32_t, int>{{1, 2}, {2, 998}}));
  // 334 of the spine, and the last has no leg.
  EXPECT_EQ(degree_counts(edges_of("caterpillar:n=1000,legs=2")), (std::map<std::uint32_t, int>{{1, 667}, {3, 1}, {4, 332}}));
  EXPECT_EQ(edges_of("caterpillar:n=0").edges.size(), 0u);
}

TEST(star_of_stars, has_hubs_round_a_centre) {
  const auto list = edges_of("star_of_stars:n=1001,leaves=9");
  EXPECT_EQ(components_of(list), 1u);
  EXPECT_EQ(degree_counts(list), (std::map<std::uint32_t, int>{{1, 900}, {10, 100}, {100, 1}}));
  EXPECT_EQ(degrees_of(list)[0], 100u);
  EXPECT_EQ(degree_counts(edges_of("star_of_stars:n=50,leaves=0")), (std::map<std::uint32_t, int>{{1, 49}, {49, 1}}));
  EXPECT_EQ(edges_of("star_of_stars:n=1").edges.size(), 0u);
}

TEST(configuration, has_the_degrees_that_it_says) {
  const struct {
    const char* spec;
    unsigned n, isolated, least, exponent;
  } cases[] = {{"configuration:n=1000,isolated=.9", 1000, 900, 1, 3},
               {"configuration:n=4096,isolated=0,exponent=2", 4096, 0, 1, 2},
               {"configuration:n=777,isolated=.25,least=3,exponent=4", 777, 194, 3, 4},
               {"configuration:n=10,isolated=1", 10, 10, 1, 3}};
  for (const auto& c : cases) {
    const auto list = edges_of(c.spec);
    const unsigned m = c.n - c.isolated;
    ids expected(c.n);
    std::uint64_t stubs = 0;
    unsigned top = 0;  // the last vertex of the highest degree
    for (unsigned v = 0; v < m; ++v) {
      expected[v] = c.least;
      for (unsigned j = 1; v < m >> (j * (c.exponent - 1)); ++j) expected[v] = c.least << j;
      stubs += expected[v];
      if (expected[v] == expected[0]) top = v;
    }
    if (stubs % 2 == 1) --expected[top];
    EXPECT_EQ(degrees_of(list), expected) << c.spec;
    EXPECT_EQ(list.edges.size(), stubs / 2) << c.spec;
  }
  // An odd number of stubs is among them: three vertices of degree one.
  EXPECT_EQ(degrees_of(edges_of("configuration:n=3,isolated=0")), (ids{1, 1, 0}));
}

TEST(configuration, matches_stubs_uniformly) {
  // Six vertices of degree one but for two, {0: 2, 1..3: 1}: the stubs are 5, one of them left out; here 4 vertices of degree 2 by `least`.
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> hits;
  for (int seed = 0; seed < 7000; ++seed) {
    for (const auto e : edges_of("configuration:n=3,isolated=0,least=2,seed=" + std::to_string(seed)).edges) ++hits[std::minmax(e.u, e.v)];
  }
  // Six stubs, two of each vertex: a pair of stubs is matched with probability 1/5; 4 pairs of stubs join two vertices, one is a loop.
  EXPECT_EQ(hits.size(), 6u);
  for (const auto& [pair, count] : hits)
    EXPECT_NEAR(count, pair.first == pair.second ? 1400 : 5600, 350) << pair.first << ' ' << pair.second;
}

}  // namespace
}  // namespace copse::test
