// Edge lists of specs that fit 32-bit ids, one small spec of every family, and many of every family.
#pragma once
#include <copse/generate.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace copse::test {

inline coo<std::uint32_t> edges_of(const std::string& spec, unsigned threads = 1) {
  const graph g = gen::generate_edges(spec, {.threads = threads});
  const auto& held = std::get<coo<std::uint32_t>>(g.shape());
  coo<std::uint32_t> list{held.vertex_count, buffer<edge<std::uint32_t>>(held.edges.size())};
  for (std::size_t i = 0; i < held.edges.size(); ++i) list.edges[i] = held.edges[i];
  return list;
}

inline const std::vector<std::string>& small_specs() {
  static const std::vector<std::string> specs{"rmat:scale=10,edges=8",
                                              "er:n=1000,m=3000",
                                              "er:n=1000,p=.004",
                                              "er:n=100,p=.8",
                                              "ba:n=1000,k=3",
                                              "grid2d:rows=20,cols=31",
                                              "torus2d:side=25",
                                              "mesh:side=25",
                                              "osm:side=40,keep=.6",
                                              "web:n=2000,degree=10",
                                              "clusters:n=5000,size=9",
                                              "path:n=1000",
                                              "star:n=1000",
                                              "complete:n=60",
                                              "random_tree:n=1000",
                                              "karate",
                                              "table_rmat:scale=10,edges=8",
                                              "table_er:n=1000,m=3000",
                                              "table_ba:n=1000,k=3",
                                              "table_osm:side=40",
                                              "table_web:n=2000,degree=10",
                                              "table_bits:n=5000,size=9"};
  return specs;
}

/// Every family with none, one and few vertices, at the borders of powers of two, and large enough for many blocks of work; seeds, shuffled
/// ids, repeats and loops among them.
inline const std::vector<std::string>& specs_of_every_size() {
  static const std::vector<std::string> specs = [] {
    std::vector<std::string> all{"rmat:scale=0,edges=0",
                                 "rmat:scale=0",
                                 "rmat:scale=1",
                                 "rmat:scale=17,edges=8,a=.45,b=.15,c=.15",
                                 "rmat:scale=14,edges=60,seed=9,shuffle=1",
                                 "er:n=0,m=0",
                                 "er:n=1,m=0,shuffle=1",
                                 "er:n=2,m=1",
                                 "er:n=300000,m=5",
                                 "er:n=65536,m=200000,seed=3,shuffle=1",
                                 "er:n=0,p=.5",
                                 "er:n=1,p=1",
                                 "er:n=2,p=1",
                                 "er:n=300,p=0",
                                 "er:n=20000,p=.0008,seed=5,shuffle=1",
                                 "er:n=600,p=.7",
                                 "er:n=300,p=1",
                                 "ba:n=0",
                                 "ba:n=1,k=5",
                                 "ba:n=2,k=1",
                                 "ba:n=40000,k=3,shuffle=1",
                                 "grid2d:side=1",
                                 "grid2d:rows=1,cols=2",
                                 "grid2d:rows=257,cols=255,shuffle=1",
                                 "torus2d:side=3",
                                 "torus2d:side=150,shuffle=1",
                                 "mesh:side=1",
                                 "mesh:side=2",
                                 "mesh:side=256",
                                 "mesh:side=200,seed=2,shuffle=1",
                                 "osm:side=1",
                                 "osm:side=2,keep=1",
                                 "osm:side=100,keep=0",
                                 "osm:side=250,seed=4,shuffle=1",
                                 "web:n=0",
                                 "web:n=1",
                                 "web:n=2,degree=5",
                                 "web:n=70000,degree=16,seed=6,shuffle=1",
                                 "clusters:n=0",
                                 "clusters:n=1",
                                 "clusters:n=2,size=2",
                                 "clusters:n=200000,size=5,shuffle=1",
                                 "clusters:n=100000,size=1000,seed=8",
                                 "path:n=0",
                                 "path:n=1",
                                 "path:n=256",
                                 "path:n=257",
                                 "path:n=100000,shuffle=1",
                                 "star:n=0",
                                 "star:n=1",
                                 "star:n=100000,shuffle=1",
                                 "complete:n=0",
                                 "complete:n=1",
                                 "complete:n=500",
                                 "random_tree:n=0",
                                 "random_tree:n=1",
                                 "random_tree:n=100000,seed=7",
                                 "karate:shuffle=1",
                                 "table_rmat:scale=1,edges=0",
                                 "table_rmat:scale=14,edges=9,seed=3,shuffle=1",
                                 "table_er:n=1,m=5",
                                 "table_er:n=65537,m=200000,seed=2",
                                 "table_ba:n=1",
                                 "table_ba:n=40000,k=3,shuffle=1",
                                 "table_osm:side=1",
                                 "table_osm:side=250,seed=4,shuffle=1",
                                 "table_web:n=1,degree=8",
                                 "table_web:n=70000,degree=16",
                                 "table_bits:n=1",
                                 "table_bits:n=255,size=2",
                                 "table_bits:n=200000,size=20,seed=5"};
    all.insert(all.end(), small_specs().begin(), small_specs().end());
    return all;
  }();
  return specs;
}

}  // namespace copse::test
