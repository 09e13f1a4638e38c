// A spec names one graph: whatever the threads, today and later.
#include "edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace copse::test {
namespace {

/// FNV-1a over the vertex count and all edges in order, 32-bit words.
std::uint64_t hash_of(const coo<std::uint32_t>& list) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](std::uint32_t word) { hash = (hash ^ word) * 0x100000001B3u; };
  add(list.vertex_count);
  for (const edge<std::uint32_t> e : list.edges) {
    add(e.u);
    add(e.v);
  }
  return hash;
}

TEST(repeat, threads_do_not_matter) {
  for (const std::string& spec : specs_of_every_size()) {
    const std::uint64_t one = hash_of(edges_of(spec, 1));
    EXPECT_EQ(hash_of(edges_of(spec, 2)), one) << spec;
    EXPECT_EQ(hash_of(edges_of(spec, 7)), one) << spec;
  }
}

TEST(repeat, seeds_matter) {
  for (const std::string& spec : small_specs()) {
    const std::string separator = spec.find(':') == std::string::npos ? ":" : ",";
    EXPECT_EQ(hash_of(edges_of(spec)), hash_of(edges_of(spec + separator + "seed=1"))) << spec;
    EXPECT_NE(hash_of(edges_of(spec + separator + "shuffle=1,seed=2")), hash_of(edges_of(spec + separator + "shuffle=1,seed=3"))) << spec;
    const std::string family = spec.substr(0, spec.find(':'));
    const std::set<std::string> fixed{"grid2d", "torus2d",     "torus3d", "mesh",          "cliques",  "clique_chain",
                                      "path",   "caterpillar", "star",    "star_of_stars", "complete", "karate"};
    const bool is_random = !fixed.contains(family);
    EXPECT_EQ(hash_of(edges_of(spec + separator + "seed=2")) != hash_of(edges_of(spec)), is_random) << spec;
  }
}

// Pinned: a spec in a paper or a bug report must name the same graph in every later version.
TEST(repeat, graphs_stay_what_they_were) {
  const std::map<std::string, std::uint64_t> pinned{{"rmat:scale=10,edges=8,seed=42,shuffle=1", 0xFAAD6A0020020BEu},
                                                    {"er:n=1000,m=3000,seed=42,shuffle=1", 0xB6F5FB0102DDBBE9u},
                                                    {"er:n=1000,p=.004,seed=42,shuffle=1", 0xC6EDF08F7144703Du},
                                                    {"er:n=100,p=.8,seed=42,shuffle=1", 0x604F643F4798A6C9u},
                                                    {"ba:n=1000,k=3,seed=42,shuffle=1", 0xFE4B311B95CBC349u},
                                                    {"grid2d:rows=20,cols=31,seed=42,shuffle=1", 0x2040BDF6DA0436ECu},
                                                    {"torus2d:side=25,seed=42,shuffle=1", 0x28218388999D79B0u},
                                                    {"mesh:side=25,seed=42,shuffle=1", 0x3BD63C7F5CDDE61Cu},
                                                    {"osm:side=40,keep=.6,seed=42,shuffle=1", 0xE6F926C3CD1DC2ABu},
                                                    {"web:n=2000,degree=10,seed=42,shuffle=1", 0x2FD74107F917825Au},
                                                    {"clusters:n=5000,size=9,seed=42,shuffle=1", 0x1BDE6300A13B3DFEu},
                                                    {"path:n=1000,seed=42,shuffle=1", 0x89B9EB150D82EAC5u},
                                                    {"star:n=1000,seed=42,shuffle=1", 0x369A255B81D3B819u},
                                                    {"complete:n=60,seed=42,shuffle=1", 0xD6FF0D5D61471A0Du},
                                                    {"random_tree:n=1000,seed=42,shuffle=1", 0xCFA276FB8F7CD130u},
                                                    {"karate:seed=42,shuffle=1", 0x2E7ECEADA35FCFFCu},
                                                    {"table_rmat:scale=10,edges=8,seed=42,shuffle=1", 0x49460F6C732E9CE9u},
                                                    {"table_er:n=1000,m=3000,seed=42,shuffle=1", 0x5CC32AA03C31D3B9u},
                                                    {"table_ba:n=1000,k=3,seed=42,shuffle=1", 0x7AA6F61828263B45u},
                                                    {"table_osm:side=40,seed=42,shuffle=1", 0x9325678D3421737u},
                                                    {"table_web:n=2000,degree=10,seed=42,shuffle=1", 0x6FD7466C232F9754u},
                                                    {"table_bits:n=5000,size=9,seed=42,shuffle=1", 0xE6B7C54C3C16726u},
                                                    {"configuration:n=3000,isolated=.4,seed=42,shuffle=1", 0xDB7FE0C784051B0u},
                                                    {"bipartite:left=300,right=500,m=2000,skew=2,seed=42,shuffle=1", 0xE4D550EED6E25D92u},
                                                    {"giants:k=4,size=300,seed=42,shuffle=1", 0x1035C53B6F3AA420u},
                                                    {"torus3d:side=9,seed=42,shuffle=1", 0x2F391ABCE0183C48u},
                                                    {"geometric:n=2000,seed=42,shuffle=1", 0x2BF83CC2387EF9BAu},
                                                    {"knn:n=2000,seed=42,shuffle=1", 0x7D93EE5B45910AE8u},
                                                    {"cliques:n=1003,size=7,seed=42,shuffle=1", 0x8A12215D9B86131Fu},
                                                    {"power_cliques:n=4000,size=40,seed=42,shuffle=1", 0x812FC1133E4EAAC4u},
                                                    {"clique_chain:n=1003,size=7,seed=42,shuffle=1", 0x6BA4F6BEA959EF6Bu},
                                                    {"caterpillar:n=1000,legs=4,seed=42,shuffle=1", 0x5391AB50C3AF159Fu},
                                                    {"star_of_stars:n=1000,leaves=30,seed=42,shuffle=1", 0x39644B6BC1784B9Du}};
  for (const std::string& spec : small_specs()) {
    const std::string full = spec + (spec.find(':') == std::string::npos ? ":" : ",") + "seed=42,shuffle=1";
    const auto at = pinned.find(full);
    ASSERT_NE(at, pinned.end()) << full;
    EXPECT_EQ(hash_of(edges_of(full)), at->second) << full;
  }
}

}  // namespace
}  // namespace copse::test
