// Stages (Cong and Muzio, Algorithm 3), a meta algorithm over any finish for edge lists: the edges, permuted, come in groups of about q n;
// each group's ends are replaced by their labels so far and solved by the finish. It is k-out sampling for edge lists: once a giant has
// formed, the ends of most later edges are the same hot label. The caller's edges are never written: a group has an array of its own.
// Permuted are lines of 8 edges (a cache line of 32-bit ids), not single edges, so that reading stays sequential where it counts.
#pragma once
#include <copse/extend/host_device.hpp>
#include <core/permutation.hpp>
#include <loops/edge_loads.hpp>
#include <loops/gather.hpp>
#include <loops/solve_context.hpp>
#include <sample/none.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace copse::sample {

inline constexpr std::size_t line = 8;

/// The edges of one line, with their ends' labels for ends, or with their own: a spanning forest wants edges of the graph, and a label is
/// one step up. Those that join nothing are dropped, which the paper does not do.
template <class P, class Edges, bool KeepsEnds>
struct update_line {
  using id = typename P::id;

  P p;
  Edges edges;
  std::size_t count;  ///< of edges
  permutation order;
  std::size_t first;  ///< line of the group

  template <class Append>
  COPSE_HOST_DEVICE void operator()(std::size_t i, Append& append) const {
    const std::size_t at = static_cast<std::size_t>(order(first + i)) * line, left = count - at;
    for (std::size_t k = 0; k < (left < line ? left : line); ++k) {
      const edge<id> e = edges[at + k], updated{p.parent(p.load(e.u)), p.parent(p.load(e.v))};
      if (updated.u != updated.v) append(KeepsEnds ? e : updated);
    }
  }
};

struct stages {
  static constexpr std::string_view name = "stages";
  static constexpr bool needs_rows = false, skips_giant = false, regroups_edges = true;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                     backend::finish_function<Backend, Id> finish) {
    context.trees.plant(context.loops, own_root{});
    const std::size_t edges = graph.edges.size(), lines = (edges + line - 1) / line;
    const auto group_edges = static_cast<std::size_t>(context.options.stages_q * static_cast<double>(graph.vertices));
    const std::size_t group_lines = std::clamp<std::size_t>(group_edges / line, 1, std::max<std::size_t>(lines, 1));
    const permutation order{lines, random_stream{context.options.seed, 3}};
    backend::gathered_of<Backend, edge<Id>> group{group_lines * line, context.trees.memory()};
    for (std::size_t first = 0; first < lines; first += group_lines) {
      {
        const phase_timer time{context.times, "update"};
        context.trees.with_parents([&]<class P>(P p) {
          const std::size_t count = std::min(group_lines, lines - first);
          backend::with_recorder(context.recorder, [&]<class Recorder>(Recorder) {
            constexpr bool keeps_ends = !std::is_same_v<Recorder, backend::no_recorder>;
            const auto read = context.loops.reads(graph.edges);
            using update = update_line<P, std::remove_const_t<decltype(read)>, keeps_ends>;
            backend::gather(context.loops, count, group, update{p, read, edges, order, first});
          });
        });
      }
      backend::arc_set<Id> arcs = graph;
      arcs.edges = {group.data(), group.size()};
      finish(context, arcs);
      context.trees.flatten(context.loops);
    }
  }
};

}  // namespace copse::sample
