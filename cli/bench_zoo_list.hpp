// The graphs and the variants of copse bench --zoo speed.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

/// The largest side of a square or a cube of at most n vertices.
inline std::uint64_t root_of(std::uint64_t n, double power) {
  return static_cast<std::uint64_t>(std::floor(std::pow(static_cast<double>(n), 1 / power) + 1e-9));
}

/// The specs of all families of the zoo with about n vertices; dense families have fewer, so that every graph has about n to 10 n edges.
inline std::vector<std::string> zoo_specs(std::uint64_t n) {
  const std::uint64_t side = root_of(n, 2), cube = root_of(n, 3);
  unsigned scale = 0;
  while (std::uint64_t{2} << scale <= n / 4) ++scale;
  return {
      fmt::format("er:n={},m={}", n, n * 6 / 10),
      fmt::format("er:n={},m={}", n, n * 2),
      fmt::format("er:n={},m={}", n / 4, n / 4 * 10),
      fmt::format("rmat:scale={},edges=8", scale),
      fmt::format("rmat:scale={},edges=4,a=.45,b=.15,c=.15", scale + 1),
      fmt::format("ba:n={},k=2", n),
      fmt::format("ba:n={},k=8", n / 4),
      fmt::format("configuration:n={},isolated=.9,least=2", n),
      fmt::format("configuration:n={},isolated=.3,exponent=2", n / 2),
      fmt::format("bipartite:left={0},right={0},m={1}", n / 2, n * 3 / 2),
      fmt::format("bipartite:left={},right={},m={},skew=5", n - n / 16, n / 16, n * 3 / 2),
      fmt::format("giants:k=2,size={}", n / 2),
      fmt::format("giants:k=100,size={}", n / 100),
      fmt::format("grid2d:side={}", side),
      fmt::format("torus2d:side={}", side),
      fmt::format("torus3d:side={}", cube),
      fmt::format("mesh:side={}", side),
      fmt::format("geometric:n={},degree=6", n),
      fmt::format("geometric:n={},degree=16", n / 2),
      fmt::format("knn:n={},k=2", n),
      fmt::format("knn:n={},k=8", n / 2),
      fmt::format("osm:side={},keep=.6", root_of(n / 3, 2)),
      fmt::format("osm:side={},keep=.95", root_of(n / 4, 2)),
      fmt::format("web:n={},degree=16", n / 4),
      fmt::format("clusters:n={},size=6", n),
      fmt::format("clusters:n={},size=1000", n),
      fmt::format("cliques:n={},size=4", n),
      fmt::format("cliques:n={},size=40", n / 4),
      fmt::format("power_cliques:n={}", n),
      fmt::format("clique_chain:n={},size=12", n),
      fmt::format("path:n={}", n),
      fmt::format("caterpillar:n={},legs=1", n),
      fmt::format("caterpillar:n={},legs=20", n),
      fmt::format("star:n={}", n),
      fmt::format("star_of_stars:n={}", n),
      fmt::format("random_tree:n={}", n),
      fmt::format("complete:n={}", root_of(n, 2) * 2),
  };
}

/// The nine graphs of the tables in docs/measurements, which differ between CPU and GPU.
inline std::vector<std::string> nine_specs(bool on_gpu) {
  if (on_gpu) {
    return {"table_rmat:scale=22,edges=8,a=.45,b=.15,c=.15",
            "table_rmat:scale=21,edges=48",
            "table_er:n=8388608,m=33554432",
            "mesh:side=4096",
            "table_osm:side=3600,keep=.6",
            "table_web:n=18520486,degree=32",
            "table_bits:n=16777216,size=20",
            "table_ba:n=16777216,k=10",
            "table_rmat:scale=25,edges=28"};
  }
  return {"rmat:scale=22,edges=16,shuffle=1", "er:n=4000000,m=16000000",  "ba:n=2000000,k=10",
          "web:n=4000000,degree=32",          "grid2d:side=2048",         "osm:side=2048,keep=.6",
          "clusters:n=8000000,size=16",       "path:n=8000000,shuffle=1", "star:n=8000000"};
}

/// The names, without a backend, of the variants that are measured once to find the fastest ones for a graph. On a GPU all but the fast
/// path visit rows as the authors of the GConn paper did (gpu_row_loop::base).
inline constexpr std::string_view screened_variants[] = {"hb.fast",
                                                         "none.fast",
                                                         "none.rem_cas.naive.halve_one",
                                                         "kout.rem_cas.naive.halve_one",
                                                         "hb.rem_cas.naive.halve_one",
                                                         "bfs.rem_cas.naive.halve_one",
                                                         "kout.rem_cas.naive.split_one",
                                                         "none.rem_cas.naive.splice_atomic",
                                                         "kout.rem_cas.naive.splice_atomic",
                                                         "hb.rem_cas.naive.splice_atomic",
                                                         "none.async.halve",
                                                         "kout.async.halve",
                                                         "kout.async.split",
                                                         "hb.async.split",
                                                         "none.early.naive",
                                                         "none.ecl.split",
                                                         "kout.ecl.split",
                                                         "hb.ecl.split",
                                                         "none.afforest",
                                                         "kout.afforest"};

}  // namespace copse::cli
