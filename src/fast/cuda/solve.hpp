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

/// Allocates a workspace for `graph`, which also serves other graphs of as many vertices and not more arcs. `sampled`: rows store both
/// directions of every edge, so that the solve can sample. `keeps_launch`: true if there will be many solves: if they are a single kernel,
/// its launch is then prepared once and repeated.
template <class Id>
gpu_workspace<Id> workspace_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, bool sampled, bool keeps_launch,
                                   const gpu_settings& settings = {});

/// Writes the canonical labels of rows in GPU memory to `parents`. Precondition: `space` was made for such a graph. Returns before the
/// kernels have ended. `laps`, if not null, records where each phase ends.
template <class Id>
void solve_fast_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                       const solve_request& options, const gpu_settings& settings = {}, backend::gpu_laps* laps = nullptr);

extern template gpu_workspace<std::uint32_t> workspace_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, bool, bool,
                                                              const gpu_settings&);
extern template void solve_fast_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, std::uint32_t*,
                                       gpu_workspace<std::uint32_t>&, const solve_request&, const gpu_settings&, backend::gpu_laps*);

// Spanning forests. Every link of this path can be recorded with an edge between the two trees that it joins (gpu/loops/links.cuh): the
// first hook takes a neighbour; the second hook takes a vertex above a neighbour, which is in that neighbour's tree; all other links unite
// the ends of an edge. The path on the CPU cannot record its links like this.

struct fast_forest {
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> labels;  ///< canonical label of each vertex; empty unless asked for
};

/// Computes a spanning forest of rows in GPU memory. `sampled`: rows store both directions of every edge. `laps` records the end of the
/// allocation, of the last link, of the labels, and of the compaction of the edges; with `time_phases` it records the end of each kernel
/// instead of the last link and the labels.
fast_forest spanning_forest_on_gpu(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                                   const solve_request& options, bool with_labels, backend::gpu_laps& laps, bool time_phases);

/// Enqueues the computation of a spanning forest, and waits for nothing. `edges` has room for one edge per vertex; its first `*count`
/// elements become the forest. `labels` has room for one label per vertex, or is null. All pointers are to GPU memory.
void enqueue_spanning_forest(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                             const solve_request& options, edge<std::uint32_t>* edges, std::uint32_t* count, std::uint32_t* labels);

}  // namespace copse::fast
