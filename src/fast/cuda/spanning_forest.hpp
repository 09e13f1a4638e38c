// Spanning forests by the fast path on a GPU. It joins along edges only, or says by which edge it could have: the first hook takes a
// neighbour; the second one takes a vertex above a neighbour, which is in that neighbour's tree; all others unite the ends of an edge. So
// every link is recorded with an edge between the two trees (gpu/loops/links.cuh), which the path on the CPU cannot do.
#pragma once
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <loops/arcs.hpp>

#include <cstdint>

namespace copse::backend {
class cuda;
class gpu_laps;
}  // namespace copse::backend

namespace copse::fast {

struct fast_forest {
  buffer<edge<std::uint32_t>> edges;
  buffer<std::uint32_t> labels;  ///< if asked for; complete before the edges are compacted
};

/// Of rows in the memory of the GPU; `sampled`: rows that store both directions of every edge. `laps` records the end of the allocation, of
/// the last link and of the labels, or of each of these kernels with `time_phases`; and the end of the compaction of the edges.
fast_forest spanning_forest_on_gpu(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                                   const solve_options& options, bool with_labels, backend::gpu_laps& laps, bool time_phases);

/// The same, enqueued: it waits for nothing. `edges` has one per vertex, of which the first `*count` become the forest; `labels` too, or is
/// null. All are in the memory of the GPU.
void enqueue_spanning_forest(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                             const solve_options& options, edge<std::uint32_t>* edges, std::uint32_t* count, std::uint32_t* labels);

}  // namespace copse::fast
