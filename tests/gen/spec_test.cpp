// The refusals of bad specs, word for word, and what the help consists of.
#include "edges.hpp"
#include "support/failing_memory.hpp"
#include "support/thrown.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace copse::test {
namespace {

std::string refusal_of(const std::string& spec) {
  return thrown<usage_error>([&] { gen::generate_edges(spec); });
}

TEST(spec, refusals_say_what_was_found_and_what_is_expected) {
  const std::pair<const char*, const char*> cases[] = {
      {"rmap:scale=3",
       "rmap:scale=3: found family 'rmap', expected one of rmat, er, ba, configuration, bipartite, giants, grid2d, torus2d, torus3d, mesh, "
       "geometric, knn, osm, web, clusters, cliques, power_cliques, clique_chain, path, caterpillar, star, star_of_stars, complete, "
       "random_tree, karate, table_rmat, table_er, table_ba, table_osm, table_web, table_bits"},
      {"rmat", "rmat: found no parameter 'scale', expected a value for it (parameters are scale, edges, a, b, c, seed, shuffle)"},
      {"rmat:scal=3", "rmat:scal=3: found parameter 'scal', expected one of scale, edges, a, b, c, seed, shuffle"},
      {"rmat:20", "rmat:20: found '20', expected key=value with a key of scale, edges, a, b, c, seed, shuffle"},
      {"rmat:scale=4,,edges=2", "rmat:scale=4,,edges=2: found '', expected key=value with a key of scale, edges, a, b, c, seed, shuffle"},
      {"rmat:scale=4,scale=5", "rmat:scale=4,scale=5: found parameter 'scale' twice, expected it once"},
      {"rmat:scale=49", "rmat:scale=49: found scale=49, expected an integer from 0 to 48"},
      {"rmat:scale=1e3", "rmat:scale=1e3: found scale=1e3, expected an integer from 0 to 48"},
      {"rmat:scale=", "rmat:scale=: found scale=, expected an integer from 0 to 48"},
      {"rmat:scale=-1", "rmat:scale=-1: found scale=-1, expected an integer from 0 to 48"},
      {"rmat:scale=4,a=1.5", "rmat:scale=4,a=1.5: found a=1.5, expected a decimal fraction from 0 to 1 with at most 18 decimals"},
      {"rmat:scale=4,a=.9", "rmat:scale=4,a=.9: found a + b + c above 1, expected a + b + c of at most 1"},
      {"er:n=5", "er:n=5: found neither m nor p, expected one of m (edges) and p (probability of each pair)"},
      {"er:n=5,m=1,p=.1", "er:n=5,m=1,p=.1: found both m and p, expected one of m (edges) and p (probability of each pair)"},
      {"er:n=5,m=11", "er:n=5,m=11: found m=11, expected an integer from 0 to 10"},
      {"er:n=99999999999,m=1", "er:n=99999999999,m=1: found n=99999999999, expected an integer from 0 to 6074001000"},
      {"grid2d:side=3,rows=4", "grid2d:side=3,rows=4: found both side and rows or cols, expected side, or rows and cols"},
      {"grid2d", "grid2d: found no size, expected side, or rows and cols"},
      {"torus2d:side=2", "torus2d:side=2: found side=2, expected an integer from 3 to 268435456"},
      {"path:n=18446744073709551616",
       "path:n=18446744073709551616: found n=18446744073709551616, expected an integer from 0 to 72057594037927936"},
      {"karate:n=34", "karate:n=34: found parameter 'n', expected one of seed, shuffle"},
      {"karate:shuffle=yes", "karate:shuffle=yes: found shuffle=yes, expected an integer from 0 to 1"},
      {"star:n=3,seed=x", "star:n=3,seed=x: found seed=x, expected an integer from 0 to 18446744073709551615"},
      {"clusters:n=10,size=1", "clusters:n=10,size=1: found size=1, expected an integer from 2 to 4294967296"},
      {"configuration:n=17592186044417",
       "configuration:n=17592186044417: found n=17592186044417, expected an integer from 0 to 17592186044416"},
      {"configuration:n=10,least=0", "configuration:n=10,least=0: found least=0, expected an integer from 1 to 1024"},
      {"configuration:n=10,exponent=5", "configuration:n=10,exponent=5: found exponent=5, expected an integer from 2 to 4"},
      {"bipartite:left=0,right=1,m=1", "bipartite:left=0,right=1,m=1: found left=0, expected an integer from 1 to 36028797018963968"},
      {"bipartite:left=1,right=1",
       "bipartite:left=1,right=1: found no parameter 'm', expected a value for it (parameters are left, right, m, skew, seed, shuffle)"},
      {"bipartite:left=1,right=1,m=1,skew=21", "bipartite:left=1,right=1,m=1,skew=21: found skew=21, expected an integer from 0 to 20"},
      {"giants:k=1048577,size=1", "giants:k=1048577,size=1: found k=1048577, expected an integer from 1 to 1048576"},
      {"giants:k=1,size=0", "giants:k=1,size=0: found size=0, expected an integer from 1 to 68719476736"},
      {"torus3d:side=2", "torus3d:side=2: found side=2, expected an integer from 3 to 262144"},
      {"torus3d:side=262145", "torus3d:side=262145: found side=262145, expected an integer from 3 to 262144"},
      {"geometric:n=10,degree=1001", "geometric:n=10,degree=1001: found degree=1001, expected an integer from 0 to 1000"},
      {"geometric:n=4398046511105", "geometric:n=4398046511105: found n=4398046511105, expected an integer from 0 to 4398046511104"},
      {"knn:n=10,k=33", "knn:n=10,k=33: found k=33, expected an integer from 0 to 32"},
      {"cliques:n=10,size=1", "cliques:n=10,size=1: found size=1, expected an integer from 2 to 65536"},
      {"clique_chain:n=10,size=0", "clique_chain:n=10,size=0: found size=0, expected an integer from 1 to 65536"},
      {"power_cliques:n=10,size=65537", "power_cliques:n=10,size=65537: found size=65537, expected an integer from 1 to 65536"},
      {"caterpillar:n=10,legs=-1", "caterpillar:n=10,legs=-1: found legs=-1, expected an integer from 0 to 4294967296"},
      {"star_of_stars:n=10,hubs=1", "star_of_stars:n=10,hubs=1: found parameter 'hubs', expected one of n, leaves, seed, shuffle"},
      {"table_rmat:scale=33,edges=1", "table_rmat:scale=33,edges=1: found scale=33, expected an integer from 1 to 32"},
      {"table_rmat:scale=3,edges=1,a=.9", "table_rmat:scale=3,edges=1,a=.9: found a + b + c above 1, expected a + b + c of at most 1"}};
  for (const auto& [spec, text] : cases) EXPECT_EQ(refusal_of(spec), text);
}

TEST(spec, half_a_rectangle_is_refused) {
  EXPECT_EQ(refusal_of("grid2d:rows=4"),
            "grid2d:rows=4: found no parameter 'cols', expected a value for it (parameters are side, rows, cols, seed, shuffle)");
}

TEST(spec, defaults_are_those_of_the_table) {
  const auto written = edges_of("rmat:scale=8,edges=16,a=.57,b=.19,c=.19,seed=1,shuffle=0");
  EXPECT_TRUE(std::ranges::equal(edges_of("rmat:scale=8").edges, written.edges));
  EXPECT_TRUE(std::ranges::equal(edges_of("rmat:a=0.570,scale=8").edges, written.edges));
}

TEST(spec, a_known_family_makes_a_spec_and_nothing_else) {
  EXPECT_TRUE(gen::is_spec("karate"));
  EXPECT_TRUE(gen::is_spec("karate:"));
  EXPECT_TRUE(gen::is_spec("rmat:scale=3"));
  EXPECT_TRUE(gen::is_spec("rmat:nonsense"));
  EXPECT_FALSE(gen::is_spec("rmat.mtx"));
  EXPECT_FALSE(gen::is_spec("path/to/file"));
  EXPECT_FALSE(gen::is_spec("c:file"));
  EXPECT_FALSE(gen::is_spec(""));
  EXPECT_FALSE(gen::is_spec("-"));
}

TEST(families, are_described) {
  std::set<std::string_view> names;
  for (const gen::family& f : gen::families()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_FALSE(f.summary.empty()) << f.name;
    EXPECT_FALSE(f.source.empty()) << f.name;
    EXPECT_TRUE(gen::is_spec(f.name));
    for (const gen::parameter& p : f.parameters) EXPECT_FALSE(p.meaning.empty()) << f.name << " " << p.name;
  }
  EXPECT_EQ(names.size(), 31u);
}

TEST(width, is_the_narrowest) {
  EXPECT_TRUE(std::holds_alternative<coo<std::uint32_t>>(gen::generate_edges("rmat:scale=31,edges=0").shape()));
  const graph wide = gen::generate_edges("er:n=4294967296,m=1000");
  ASSERT_TRUE(std::holds_alternative<coo<std::uint64_t>>(wide.shape()));
  const graph narrow = gen::generate_edges("er:n=4294967295,m=1000");
  ASSERT_TRUE(std::holds_alternative<coo<std::uint32_t>>(narrow.shape()));
  EXPECT_EQ(wide.vertices(), std::uint64_t{1} << 32);
  const auto& edges = std::get<coo<std::uint64_t>>(wide.shape()).edges;
  EXPECT_TRUE(std::ranges::all_of(edges, [](const auto e) { return e.u != e.v && std::max(e.u, e.v) < std::uint64_t{1} << 32; }));
  EXPECT_TRUE(std::ranges::any_of(edges, [](const auto e) { return e.u > std::uint64_t{1} << 31; }));
}

TEST(width, counts_beyond_memory_are_an_error_with_the_number) {
  const std::string said = thrown<resource_error>([&] { gen::generate_edges("path:n=72057594037927936"); });
  EXPECT_EQ(said.rfind("out of memory: ", 0), 0u) << said;
}

TEST(memory, is_the_one_given) {
  failing_memory source;
  tracked_memory memory{UINT64_MAX, &source};
  {
    const graph g = gen::generate_edges("path:n=1001", {.memory = &memory});
    EXPECT_EQ(memory.current_bytes(), 8000u);
  }
  EXPECT_EQ(memory.current_bytes(), 0u);
  source.fail_after(0);
  EXPECT_THROW(gen::generate_edges("path:n=1001", {.memory = &memory}), resource_error);
}

TEST(rows, are_simple_and_symmetric) {
  const graph g = gen::generate("rmat:scale=8,edges=16");
  const auto& rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape());
  const auto view = rows.view();
  EXPECT_EQ(view.vertices(), 256u);
  EXPECT_EQ(view.symmetric, symmetry::yes);
  EXPECT_TRUE(view.sorted);
  std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (const auto e : edges_of("rmat:scale=8,edges=16").edges) {
    if (e.u != e.v) expected.insert({{e.u, e.v}, {e.v, e.u}});
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (std::uint32_t u = 0; u < view.vertices(); ++u) {
    for (const std::uint32_t v : view.row(u)) arcs.insert({u, v});
  }
  EXPECT_EQ(arcs, expected);
  EXPECT_EQ(view.arcs(), expected.size());
}

}  // namespace
}  // namespace copse::test
