// One thread: sequential Rem. More threads: sample when rows are long enough that a sample leaves most arcs unread and both directions
// are stored, otherwise unite everything. Which rows stand for each case was measured: docs/performance.md.
#include <choose/auto.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace copse::choose {
namespace {

// Starting a team of threads costs more than a serial solve of this many arcs.
constexpr std::uint64_t small_arcs = std::uint64_t{1} << 15;
// Below it a sample of two arcs a vertex reads most of the graph anyway.
constexpr double sampling_arcs_per_vertex = 4;

}  // namespace

choice choose(graph_view view, unsigned threads) {
  return std::visit(
      [threads](const auto& g) -> choice {
        const auto n = std::uint64_t{g.vertices()};
        if constexpr (requires { g.offsets; }) {
          const auto arcs = std::uint64_t{g.arcs()};
          const double density = n == 0 ? 0 : static_cast<double>(arcs) / static_cast<double>(n);
          const auto seen = fmt::format("rows, {} vertices, {} arcs ({:.1f} a vertex), {} threads", n, arcs, density, threads);
          if (threads == 1) return {"serial.none.rem", seen + ": one thread, sequential Rem"};
          if (arcs < small_arcs) return {"serial.none.rem", seen + ": too small for a team of threads"};
          if (g.symmetric == symmetry::yes && density >= sampling_arcs_per_vertex) {
            return {"omp.kout.rem_cas.naive.split_one", seen + ": rows long enough to sample and skip the giant"};
          }
          return {"omp.none.rem_cas.naive.halve_one", seen + ": a sample would read most arcs, or one direction is missing; unite all"};
        } else {
          const auto edges = std::uint64_t{g.edges.size()};
          const auto seen = fmt::format("edge list, {} vertices, {} edges, {} threads", n, edges, threads);
          if (threads == 1) return {"serial.none.rem", seen + ": one thread, sequential Rem"};
          if (edges < small_arcs) return {"serial.none.rem", seen + ": too small for a team of threads"};
          return {"omp.none.rem_cas.naive.halve_one", seen + ": unite all edges as they stand"};
        }
      },
      view);
}

}  // namespace copse::choose
