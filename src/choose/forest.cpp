// `auto` for spanning forests: the rules that record a link at no price worth mention, sampled where our own path would sample.
#include <choose/choose.hpp>

#include <fmt/format.h>
#include <own/decide.hpp>

#include <cstdint>

namespace copse::choose {
namespace {

// Starting a team of threads, or a probe, costs more than a serial solve of this many arcs.
constexpr std::uint64_t small_arcs = std::uint64_t{1} << 15;

choice for_list(std::uint64_t vertices, std::uint64_t edges, unsigned threads) {
  const auto seen = fmt::format("edge list, {} vertices, {} edges, {} thread{}", vertices, edges, threads, threads == 1 ? "" : "s");
  if (threads == 1) return {"serial.none.rem", seen + ": one thread, sequential Rem"};
  if (edges < small_arcs) return {"serial.none.rem", seen + ": too small for a team of threads"};
  return {"omp.none.rem_cas.naive.halve_one", seen + ": unite all edges as they stand"};
}

choice automatic_forest(graph_view view, unsigned threads, std::uint64_t seed) {
  return std::visit(
      [=](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          if (g.arcs() < small_arcs) {
            return {"serial.none.rem",
                    fmt::format("rows, {} vertices, {} arcs: too small for a team of threads or a probe", g.vertices(), g.arcs())};
          }
          const own::verdict seen = own::decide(g, threads, seed);
          const std::string sampler = seen.way == own::route::sampled ? "hb" : "none";
          return {threads == 1 ? "serial." + sampler + ".rem" : "omp." + sampler + ".rem_cas.naive.halve_one", own::explain(seen)};
        } else {
          return for_list(g.vertices(), g.edges.size(), threads);
        }
      },
      view);
}

}  // namespace

choice choose_for_forest(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed) {
  return chooser == "auto" ? automatic_forest(g, threads, seed) : choose(chooser, g, threads, seed);
}

}  // namespace copse::choose
