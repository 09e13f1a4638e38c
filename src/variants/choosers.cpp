#include <variants/choosers.hpp>

#include <fmt/format.h>
#include <copse/views.hpp>
#include <core/most_frequent.hpp>
#include <core/random.hpp>
#include <fast/decide.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::variant {

choice choose(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed) {
  if (chooser == "gconn_default") return gconn_default(g);
  if (chooser == "gconn_tree") return gconn_tree(g, seed);
  return automatic(g, threads, seed);
}

choice choose_for_forest(std::string_view chooser, graph_view g, unsigned threads, std::uint64_t seed) {
  return chooser == "auto" ? automatic_forest(g, threads, seed) : choose(chooser, g, threads, seed);
}

// How `auto` chooses. For rows: the fast path, with or without sampling as fast::decide() finds out by looking at random rows (a probe),
// unless the graph is too small for a team of threads or for a probe. For edge lists: the edges are united in their order, by the fast path
// unless the ends of most edges have ids near those of the edge before. Then the parents of the ends are in the caches, and prefetching
// them costs more than it saves (measured: 9 to 27 % on grids and roads). The variant for each case was chosen by measurement:
// docs/measurements/cpu.md. Spanning forests are chosen in the same way, but among rules that record a link at little cost.

namespace {

// A serial solve of fewer arcs than this takes less time than starting a team of threads, or than examining random rows (a probe). The
// limit is also for vertices, which take time even if most of them have no arcs.
constexpr std::uint64_t small_arcs = std::uint64_t{1} << 15;

struct thread_finishes {
  std::string_view one_thread, many_threads;
};
/// The finishes for rows, for edge lists, and for edge lists that is_local() finds to be in an order that suits the caches.
struct finish_names {
  thread_finishes rows, list, local_list;
  bool one_fast_path;  ///< true if one thread and many threads solve rows by the fast path
};
constexpr thread_finishes rem_finishes{"rem", "rem_cas.naive.halve_one"};
constexpr finish_names component_finishes{{"fast", "fast"}, {"fast", "fast"}, {"rem", "rem_lock.naive.split_one"}, true};
constexpr finish_names forest_finishes{rem_finishes, rem_finishes, rem_finishes, false};

/// True if in most pairs of consecutive edges of the list the ids of the first ends are near each other, and those of the second ends as
/// well.
template <class Id>
bool is_local(std::span<const edge<Id>> edges, std::uint64_t seed) {
  constexpr std::size_t samples = 256;
  constexpr Id near = 4096;  // least difference of ids that are not near; the parents of near ends are within 16 KiB
  const auto are_near = [](Id a, Id b) { return (a < b ? b - a : a - b) < near; };
  std::size_t found = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const std::size_t i = mix(seed + k) % (edges.size() - 1);
    found += are_near(edges[i].u, edges[i + 1].u) && are_near(edges[i].v, edges[i + 1].v) ? 1 : 0;
  }
  return found >= samples * 3 / 4;
}

/// True if the graph falls into many small trees. There the two passes over rows that the variant for many threads makes are a third
/// faster, even on one thread, than the single pass of the serial variant: how many smaller neighbours a vertex has is unpredictable, and
/// the first of the two passes has no branch on it.
bool is_forest_of_small_trees(const fast::route_decision& seen) {
  return seen.way == fast::route::unsampled && seen.arcs_per_vertex >= 1 && seen.arcs_per_vertex < 1.9;
}

choice for_edges(std::uint64_t vertices, std::uint64_t edges, unsigned threads, const thread_finishes& names) {
  const auto seen = fmt::format("edge list, {} vertices, {} edges, {} thread{}", vertices, edges, threads, threads == 1 ? "" : "s");
  if (threads == 1) return {fmt::format("serial.none.{}", names.one_thread), seen + ": unite the edges as they stand"};
  if (edges < small_arcs) return {fmt::format("serial.none.{}", names.one_thread), seen + ": too small for a team of threads"};
  return {fmt::format("threads.none.{}", names.many_threads), seen + ": unite the edges as they stand"};
}

choice choose_by(const finish_names& names, graph_view view, unsigned threads, std::uint64_t seed) {
  return std::visit(
      [&names, threads, seed](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          if (g.arcs() < small_arcs && g.vertices() < small_arcs) {
            return {"serial.none.rem",
                    fmt::format("rows, {} vertices, {} arcs: too small for a team of threads or a probe", g.vertices(), g.arcs())};
          }
          const auto limits = names.one_fast_path ? fast::limits_of_fast_path(threads, g.sorted) : fast::limits_of_forests(threads);
          const fast::route_decision seen = fast::decide(g, threads, seed, limits);
          const bool sampled = seen.way == fast::route::sampled,
                     serial = threads == 1 && !(names.one_fast_path && is_forest_of_small_trees(seen));
          return {fmt::format("{}.{}.{}", serial ? "serial" : "threads", sampled ? "hb" : "none",
                              serial ? names.rows.one_thread : names.rows.many_threads),
                  fast::explain(seen)};
        } else {
          const bool local = g.edges.size() >= small_arcs && is_local(g.edges, seed);
          auto chosen = for_edges(g.vertices(), g.edges.size(), threads, local ? names.local_list : names.list);
          if (local) chosen.explanation += ", each near the one before";
          return chosen;
        }
      },
      view);
}

}  // namespace

choice automatic_columns(std::uint64_t vertices, std::uint64_t edges, unsigned threads) {
  return for_edges(vertices, edges, threads, component_finishes.list);
}
choice automatic(graph_view view, unsigned threads, std::uint64_t seed) { return choose_by(component_finishes, view, threads, seed); }
choice automatic_forest(graph_view view, unsigned threads, std::uint64_t seed) { return choose_by(forest_finishes, view, threads, seed); }

// The two choosers of the GConn paper, as yardsticks for `auto`: its default, k-out sampling and Union-Async (section 4.7), and its
// decision tree (Figure 12). The paper also allows Union-Rem-CAS instead of Union-Async, "as their performance is similar".

namespace {

/// Returns a lower bound on the coverage of hook-based sampling, the share of the vertices that it unites into the giant, at the cost of a
/// thousand short walks. After the first step of that sampling, the root of a vertex is found by walking to the first neighbour as long as
/// it is smaller, which needs no labels. The share of random vertices that end at the most frequent root is the coverage of that step. The
/// result is between 0 and 1; 0 if there are no vertices. O(samples x length of the walks).
template <class Id, class Offset>
double hooked_share(csr_view<Id, Offset> g, std::uint64_t seed, std::size_t samples = 1024) {
  if (g.vertices() == 0) return 0;
  const random_stream random{seed, 4};
  std::vector<Id> roots(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    Id v = static_cast<Id>(random.below(k, g.vertices()));
    while (g.offsets[v] != g.offsets[std::size_t{v} + 1] && g.targets[g.offsets[v]] < v) v = g.targets[g.offsets[v]];
    roots[k] = v;
  }
  return static_cast<double>(most_frequent(std::span{roots}).votes) / static_cast<double>(samples);
}

choice of(std::string_view backend, std::string_view rest, std::string explanation) {
  return {fmt::format("{}.{}", backend, rest), std::move(explanation)};
}

constexpr std::string_view unsampled = "none.async.compress", sampled = "kout.async.compress", hooked = "hb.ecl";

}  // namespace

choice gconn_default(graph_view view, std::string_view backend) {
  const bool rows = std::visit(
      [](const auto& g) {
        return requires { g.offsets; };
      },
      view);
  if (!rows) return of(backend, unsampled, "gconn_default: edge lists are not sampled");
  return of(backend, sampled, "gconn_default: k-out sampling and Union-Async, whatever the graph");
}

choice gconn_tree(graph_view view, std::uint64_t seed, std::string_view backend, const gconn_thresholds& forks) {
  return std::visit(
      [&](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          const double density = g.vertices() == 0 ? 0 : static_cast<double>(g.arcs()) / static_cast<double>(g.vertices());
          if (density < forks.arcs_per_vertex) {
            return of(backend, unsampled,
                      fmt::format("gconn_tree: {:.1f} arcs per vertex, fewer than {}: not sampled", density, forks.arcs_per_vertex));
          }
          const double share = hooked_share(g, seed);
          const auto seen = fmt::format("gconn_tree: {:.1f} arcs per vertex, first hooks cover {:.1f} %", density, 100 * share);
          if (share >= forks.hooked_share) return of(backend, hooked, seen + ": hook-based sampling");
          return of(backend, sampled, seen + ": k-out sampling");
        } else {
          return of(backend, unsampled, "gconn_tree: edge lists are not sampled");
        }
      },
      view);
}

}  // namespace copse::variant
