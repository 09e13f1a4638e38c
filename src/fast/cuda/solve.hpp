// The interface of the fast path on a GPU, for units that do not compile its kernels.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/request.hpp>
#include <fast/cuda/workspace.hpp>
#include <loops/arcs.hpp>

#include <cstdint>

namespace copse::backend {
class cuda;
class gpu_laps;
}  // namespace copse::backend

namespace copse::fast {

/// For a graph, and for others of as many vertices and not more arcs. `sampled`: rows that store both directions of every edge.
/// `keeps_launch`: there will be many solves.
template <class Id>
gpu_workspace<Id> workspace_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, bool sampled, bool keeps_launch,
                                   const gpu_settings& settings = {});

/// Canonical labels of rows in the memory of the GPU, into `parents`. Precondition: `space` was made for such a graph.
/// Returns before the kernels have ended. `laps`, if not null, records where each phase ends.
template <class Id>
void solve_fast_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                       const solve_request& options, const gpu_settings& settings = {}, backend::gpu_laps* laps = nullptr);

extern template gpu_workspace<std::uint32_t> workspace_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, bool, bool,
                                                              const gpu_settings&);
extern template void solve_fast_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, std::uint32_t*,
                                       gpu_workspace<std::uint32_t>&, const solve_request&, const gpu_settings&, backend::gpu_laps*);

// Spanning forests. The path joins along edges only, or says by which edge it could have: the first hook takes a neighbour; the second one
// takes a vertex above a neighbour, which is in that neighbour's tree; all others unite the ends of an edge. So every link is recorded with
// an edge between the two trees (gpu/loops/links.cuh), which the path on the CPU cannot do.

struct fast_forest {
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> labels;  ///< if asked for; complete before the edges are compacted
};

/// Solves rows in the memory of the GPU; `sampled`: rows that store both directions of every edge. `laps` records the end of the
/// allocation, of the last link and of the labels, or of each of these kernels with `time_phases`; and the end of the compaction of the
/// edges.
fast_forest spanning_forest_on_gpu(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                                   const solve_request& options, bool with_labels, backend::gpu_laps& laps, bool time_phases);

/// The same, enqueued: it waits for nothing. `edges` has one per vertex, of which the first `*count` become the forest; `labels` too, or is
/// null. All are in the memory of the GPU.
void enqueue_spanning_forest(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                             const solve_request& options, edge<std::uint32_t>* edges, std::uint32_t* count, std::uint32_t* labels);

}  // namespace copse::fast
