// Stages (Cong and Muzio, Algorithm 3), a meta algorithm over any finish for edge lists. The edges are permuted and processed in groups of
// about q n edges; the ends of each group are replaced by their labels so far, and the finish solves the group. It is k-out sampling for
// edge lists: once a giant has formed, the ends of most later edges have the giant's label, which stays in the cache. Each group is
// gathered in an array of its own. What is permuted are lines of 8 edges (a cache line of 32-bit ids), not single edges, so that reading
// stays sequential within lines.
//
// A list that may be overwritten (arc_set::writable) is processed in place, as in the paper: groups follow each other in the order of the
// list, which the caller has shuffled, and no edge is dropped.
#pragma once
#include <copse/extend/host_device.hpp>
#include <core/phase_times.hpp>
#include <core/random.hpp>
#include <loops/edge_loads.hpp>
#include <loops/gather.hpp>
#include <loops/solve_context.hpp>
#include <sample/none.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace copse::sample {

inline constexpr std::size_t line = 8;  ///< number of consecutive edges of the list that stay together when it is permuted: a line

/// Appends the edges of a line to the current group, except those whose ends have the same label (Cong and Muzio keep these). If KeepsEnds
/// is true, appended edges keep their ends, because a spanning forest consists of edges of the graph; otherwise ends are replaced by their
/// labels. Precondition: the trees are flat, so that one load gives the label of an end.
template <class P, class Edges, bool KeepsEnds>
struct update_line {
  using id = typename P::id;

  P p;
  Edges edges;
  std::size_t count;  ///< number of edges in the list
  permutation order;
  std::size_t first;  ///< index, in the random order of all lines, of the current group's first line

  static constexpr unsigned parts = line;  ///< number of threads that can share the edges of a line, one edge each

  template <class Append>
  COPSE_HOST_DEVICE void operator()(std::size_t i, Append& append) const {
    const std::size_t at = start(i);
    for (unsigned k = 0; k < line; ++k) take(at + k, append);
  }
  template <class Append>
  COPSE_HOST_DEVICE void part(std::size_t i, unsigned k, Append& append) const {
    take(start(i) + k, append);
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::size_t start(std::size_t i) const { return static_cast<std::size_t>(order(first + i)) * line; }
  template <class Append>
  COPSE_HOST_DEVICE void take(std::size_t at, Append& append) const {
    if (at >= count) return;
    const edge<id> e = edges[at], updated{p.parent(p.load(e.u)), p.parent(p.load(e.v))};
    if (updated.u != updated.v) append(KeepsEnds ? e : updated);
  }
};

/// Replaces the ends of an edge by their labels, in place.
template <class P>
struct relabel_edge {
  P p;
  edge<typename P::id>* edges;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    const edge<typename P::id> e = edges[i];
    edges[i] = {p.parent(p.load(e.u)), p.parent(p.load(e.v))};
  }
};

struct stages {
  static constexpr std::string_view name = "stages";
  static constexpr bool needs_rows = false, skips_giant = false, regroups_edges = true;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                     backend::finish_function<Backend, Id> finish) {
    context.trees.plant(context.loops, own_root{});
    if (graph.writable != nullptr) return sample_in_place(context, graph, finish);
    const std::size_t edges = graph.edges.size(), lines = (edges + line - 1) / line;
    const std::size_t group_lines = std::clamp<std::size_t>(edges_of_group(context) / line, 1, std::max<std::size_t>(lines, 1));
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
            gather(context.loops, count, group, update{p, read, edges, order, first});
          });
        });
      }
      backend::arc_set<Id> arcs = graph;
      arcs.edges = {group.data(), group.size()};
      finish(context, arcs);
      context.trees.flatten(context.loops);
    }
  }

private:
  template <class Backend, class Id>
  static std::size_t edges_of_group(const backend::solve_context<Backend, Id>& context) {
    return static_cast<std::size_t>(context.options.stages_q * static_cast<double>(context.trees.vertices()));
  }

  template <class Backend, class Id>
  static void sample_in_place(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                              backend::finish_function<Backend, Id> finish) {
    const std::size_t edges = graph.edges.size(), most = std::max<std::size_t>(edges_of_group(context), 1);
    for (std::size_t first = 0; first < edges; first += most) {
      backend::arc_set<Id> group = graph;
      group.edges = graph.edges.subspan(first, std::min(most, edges - first));
      group.writable = graph.writable + first;
      if (first > 0) {
        const phase_timer time{context.times, "update"};
        context.trees.with_parents([&]<class P>(P p) { context.loops.for_each(group.edges.size(), relabel_edge<P>{p, group.writable}); });
      }
      finish(context, group);
      context.trees.flatten(context.loops);
    }
  }
};

}  // namespace copse::sample
