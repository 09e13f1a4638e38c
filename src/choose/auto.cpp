// `auto`. Rows: our own path, on the route that its probe decides (own/decide.hpp says how), unless the graph is too small for a team of
// threads or for a probe. Edge lists: unite them as they stand. Which rows stand for each case was measured: docs/performance.md.
#include <choose/choose.hpp>

#include <fmt/format.h>
#include <own/decide.hpp>

#include <cstdint>

namespace copse::choose {
namespace {

// Starting a team of threads, or a probe, costs more than a serial solve of this many arcs.
constexpr std::uint64_t small_arcs = std::uint64_t{1} << 15;

choice for_edges(std::uint64_t vertices, std::uint64_t edges, unsigned threads) {
  const auto seen = fmt::format("edge list, {} vertices, {} edges, {} thread{}", vertices, edges, threads, threads == 1 ? "" : "s");
  if (threads == 1) return {"serial.none.rem", seen + ": one thread, sequential Rem"};
  if (edges < small_arcs) return {"serial.none.rem", seen + ": too small for a team of threads"};
  return {"omp.none.rem_lock.naive.split_one", seen + ": unite all edges as they stand"};
}

}  // namespace

choice automatic(graph_view view, unsigned threads, std::uint64_t seed) {
  return std::visit(
      [=](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          if (g.arcs() < small_arcs) {
            return {"serial.none.rem",
                    fmt::format("rows, {} vertices, {} arcs: too small for a team of threads or a probe", g.vertices(), g.arcs())};
          }
          const own::verdict seen = own::decide(g, threads, seed);
          return {fmt::format("{}.{}.own", threads == 1 ? "serial" : "omp", seen.way == own::route::sampled ? "hb" : "none"),
                  own::explain(seen)};
        } else {
          return for_edges(g.vertices(), g.edges.size(), threads);
        }
      },
      view);
}

}  // namespace copse::choose
