// Edge lists of specs that fit 32-bit ids, and one small spec of every family.
#pragma once
#include <copse/gen/generate.hpp>

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
  static const std::vector<std::string> specs{"rmat:scale=10,edges=8", "er:n=1000,m=3000",       "er:n=1000,p=.004",       "er:n=100,p=.8",
                                              "ba:n=1000,k=3",         "grid2d:rows=20,cols=31", "torus2d:side=25",        "mesh:side=25",
                                              "osm:side=40,keep=.6",   "web:n=2000,degree=10",   "clusters:n=5000,size=9", "path:n=1000",
                                              "star:n=1000",           "complete:n=60",          "random_tree:n=1000",     "karate"};
  return specs;
}

}  // namespace copse::test
