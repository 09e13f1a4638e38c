// The result of a sampler, for a solve that counts: how much the giant covers, and how many arcs are left to visit.
#pragma once
#include <copse/report.hpp>
#include <loops/solve_context.hpp>

#include <atomic>
#include <cstddef>

namespace copse::drivers {

/// Precondition: rows; the trees are flat, under the vertices' own names. O(n + arcs).
template <class Backend, class Id>
void measure_coverage(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph, Id giant, work_counts& work) {
  std::atomic<std::uint64_t> giant_vertices{0}, outside_arcs{0}, crossing_arcs{0};
  context.loops.for_blocks(graph.vertices, [&](std::size_t begin, std::size_t end) {
    std::uint64_t inside = 0, outside = 0, crossing = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Id v = static_cast<Id>(i), label = context.trees.parent(v);
      inside += label == giant;
      if (label != giant) outside += graph.rows.degree(v);
      for (const Id target : graph.rows.row(v)) crossing += context.trees.parent(target) != label;
    }
    giant_vertices += inside;
    outside_arcs += outside;
    crossing_arcs += crossing;
  });
  work.giant_vertices = giant_vertices;
  work.outside_arcs = outside_arcs;
  work.crossing_arcs = crossing_arcs;
}

/// Fills in what the counting accessor counted; `sampled_arcs` was taken when sampling ended.
template <class Backend>
void take_counts(work_counts& work) {
  const auto all = Backend::template parents<std::uint32_t>::totals();
  work.finish_arcs = all.arcs - work.sampled_arcs;
  work.unites = all.calls;
  work.loads = all.loads;
  work.stores = all.stores;
  work.longest_path = all.longest_call;
  work.call_loads = all.call_loads;
  work.swaps = all.swaps;
  work.failed_swaps = all.failed_swaps;
}

}  // namespace copse::drivers
