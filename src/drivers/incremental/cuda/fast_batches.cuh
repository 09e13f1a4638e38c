// Kernels of the fast path's batches. A thread takes four edges at once, so that they are read together, and unites the ends of one after
// the other by Rem's algorithm with swaps at roots and splitting, whose loads may be stale (parents/device.cuh): what is read was a
// parent once, and a link is a swap. Most edges of most streams have both ends in one tree already: two loads, which are equal.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/split_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <drivers/incremental/cuda/notes.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/steps/ballot.cuh>
#include <parents/device.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

using gpu_parents = parents::cached<gpu_id>;
using batch_rule = unite::rem_cas<find::naive, splice::split_one>;

/// The tree in which most ends of edges were, by a vote.
struct giant_facts {
  gpu_id root;
  unsigned votes;                  ///< of backend::voters ends
  unsigned long long full_groups;  ///< of vertices that are all inside (giant.cuh)

  /// If fewer ends are inside, asking costs more than it saves.
  [[nodiscard]] __device__ bool worth_asking() const { return votes >= backend::voters / 2; }
};

/// How many edges a batch in a captured graph has; they follow.
struct alignas(16) staged_header {
  unsigned long long count;
};

/// By all threads of the grid, which are whole warps.
template <class Reader>
__device__ void insert_pairs(Reader batch, gpu_parents p, gpu_id vertices, const device_notes& notes) {
  constexpr int at_once = 4;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  counted_links own;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; first < batch.count; first += at_once * threads) {
    gpu_edge e[at_once];
    bool wanted[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      wanted[k] = batch.wanted(first + k * threads);
      e[k] = wanted[k] ? batch.pair(first + k * threads) : gpu_edge{0, 0};
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (!wanted[k]) continue;
      if (e[k].u < vertices && e[k].v < vertices) {
        if (e[k].u == e[k].v) notes.mark(e[k], own);
        batch_rule{}(p, e[k].u, e[k].v, note_device_link{notes, e[k], own});
      } else {
        ++own.refused;
      }
    }
  }
  own.add_to_tally(notes.tally);
}

/// Does nothing if the giant is known and large: then insert_past_giant is launched too.
template <class Reader>
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_batch_kernel(Reader batch, gpu_parents p, gpu_id vertices, device_notes notes, const giant_facts* known) {
  if (known != nullptr && known->worth_asking()) return;
  insert_pairs(batch, p, vertices, notes);
}
/// The number of edges is not known when the graph is captured: it is copied with them.
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_staged_kernel(const staged_header* staged, gpu_parents p, gpu_id vertices, device_notes notes) {
  insert_pairs(whole_batch{reinterpret_cast<const gpu_edge*>(staged + 1), staged->count}, p, vertices, notes);
}

}  // namespace copse::drivers
