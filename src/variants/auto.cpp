// `auto`. Rows: the fast path, on the route that its probe decides (own/decide.hpp says how), unless the graph is too small for a team of
// threads or for a probe. Edge lists: unite them as they stand. Which rows stand for each case was measured: docs/performance.md. For
// spanning forests the same, by rules that record a link at little cost.
#include <variants/choosers.hpp>

#include <fmt/format.h>
#include <fast/decide.hpp>

#include <cstdint>
#include <string_view>

namespace copse::variant {
namespace {

// Starting a team of threads, or a probe, costs more than a serial solve of this many arcs.
constexpr std::uint64_t small_arcs = std::uint64_t{1} << 15;

/// What is taken where: finishes of rows after a sampler, and of edge lists.
struct rules {
  std::string_view of_one_thread, of_many, of_lists;
};
constexpr rules for_components{"fast", "fast", "rem_lock.naive.split_one"};
constexpr std::string_view for_columns = "rem_cas.naive.halve_one";
constexpr rules for_forests{"rem", "rem_cas.naive.halve_one", "rem_cas.naive.halve_one"};

choice for_edges(std::uint64_t vertices, std::uint64_t edges, unsigned threads, std::string_view finish) {
  const auto seen = fmt::format("edge list, {} vertices, {} edges, {} thread{}", vertices, edges, threads, threads == 1 ? "" : "s");
  if (threads == 1) return {"serial.none.rem", seen + ": one thread, sequential Rem"};
  if (edges < small_arcs) return {"serial.none.rem", seen + ": too small for a team of threads"};
  return {fmt::format("omp.none.{}", finish), seen + ": unite all edges as they stand"};
}

choice by(const rules& wanted, graph_view view, unsigned threads, std::uint64_t seed) {
  return std::visit(
      [&wanted, threads, seed](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          if (g.arcs() < small_arcs) {
            return {"serial.none.rem",
                    fmt::format("rows, {} vertices, {} arcs: too small for a team of threads or a probe", g.vertices(), g.arcs())};
          }
          const fast::verdict seen = fast::decide(g, threads, seed);
          return {fmt::format("{}.{}.{}", threads == 1 ? "serial" : "omp", seen.way == fast::route::sampled ? "hb" : "none",
                              threads == 1 ? wanted.of_one_thread : wanted.of_many),
                  fast::explain(seen)};
        } else {
          return for_edges(g.vertices(), g.edges.size(), threads, wanted.of_lists);
        }
      },
      view);
}

}  // namespace

choice automatic_columns(std::uint64_t vertices, std::uint64_t edges, unsigned threads) {
  return for_edges(vertices, edges, threads, for_columns);
}
choice automatic(graph_view view, unsigned threads, std::uint64_t seed) { return by(for_components, view, threads, seed); }
choice automatic_forest(graph_view view, unsigned threads, std::uint64_t seed) { return by(for_forests, view, threads, seed); }

}  // namespace copse::variant
