// `auto`. Rows: the fast path, on the route that its probe decides (fast/decide.hpp), unless the graph is too small for a team of threads
// or for a probe. Edge lists: unite them as they stand. The variant for each case was chosen by measurement: docs/measurements/cpu.md.
// Spanning forests take the same route, by rules that record a link at little cost.
#include <variants/choosers.hpp>

#include <fmt/format.h>
#include <fast/decide.hpp>

#include <cstdint>
#include <string_view>

namespace copse::variant {
namespace {

// Starting a team of threads, or a probe, costs more than a serial solve of this many arcs.
constexpr std::uint64_t small_arcs = std::uint64_t{1} << 15;

/// The finishes to use: on rows, by one thread or by many, and on edge lists.
struct finish_names {
  std::string_view one_thread, many_threads, edge_list;
};
constexpr finish_names component_finishes{"fast", "fast", "rem_lock.naive.split_one"};
constexpr finish_names forest_finishes{"rem", "rem_cas.naive.halve_one", "rem_cas.naive.halve_one"};
constexpr std::string_view column_finish = "rem_cas.naive.halve_one";

choice for_edges(std::uint64_t vertices, std::uint64_t edges, unsigned threads, std::string_view finish) {
  const auto seen = fmt::format("edge list, {} vertices, {} edges, {} thread{}", vertices, edges, threads, threads == 1 ? "" : "s");
  if (threads == 1) return {"serial.none.rem", seen + ": one thread, sequential Rem"};
  if (edges < small_arcs) return {"serial.none.rem", seen + ": too small for a team of threads"};
  return {fmt::format("omp.none.{}", finish), seen + ": unite all edges as they stand"};
}

choice choose_by(const finish_names& names, graph_view view, unsigned threads, std::uint64_t seed) {
  return std::visit(
      [&names, threads, seed](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          if (g.arcs() < small_arcs) {
            return {"serial.none.rem",
                    fmt::format("rows, {} vertices, {} arcs: too small for a team of threads or a probe", g.vertices(), g.arcs())};
          }
          const fast::verdict seen = fast::decide(g, threads, seed);
          return {fmt::format("{}.{}.{}", threads == 1 ? "serial" : "omp", seen.way == fast::route::sampled ? "hb" : "none",
                              threads == 1 ? names.one_thread : names.many_threads),
                  fast::explain(seen)};
        } else {
          return for_edges(g.vertices(), g.edges.size(), threads, names.edge_list);
        }
      },
      view);
}

}  // namespace

choice automatic_columns(std::uint64_t vertices, std::uint64_t edges, unsigned threads) {
  return for_edges(vertices, edges, threads, column_finish);
}
choice automatic(graph_view view, unsigned threads, std::uint64_t seed) { return choose_by(component_finishes, view, threads, seed); }
choice automatic_forest(graph_view view, unsigned threads, std::uint64_t seed) { return choose_by(forest_finishes, view, threads, seed); }

}  // namespace copse::variant
