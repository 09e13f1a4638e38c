// Kernels of incremental connectivity. A thread takes four edges at once, so that they are read together, and unites the ends of one after
// the other by Rem's algorithm with swaps at roots and splitting, whose loads may be stale (parents/device.cuh): what is read was a
// parent once, and a link is a swap. Most edges of most streams have both ends in one tree already: two loads, which are equal.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/split_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/views.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/steps/ballot.cuh>
#include <parents/device.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

using gpu_id = std::uint32_t;
using gpu_edge = edge<gpu_id>;
using gpu_parents = parents::cached<gpu_id>;
using batch_rule = unite::rem_cas<find::naive, splice::split_one>;
static_assert(sizeof(gpu_edge) == sizeof(uint2));

/// What kernels counted; the host reads it when it waits.
struct gpu_tally {
  unsigned long long links;    ///< roots that became children
  unsigned long long refused;  ///< edges with an id that is no vertex
};

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

struct count_link {
  unsigned* links;
  __device__ void operator()(gpu_id, gpu_id) const { ++*links; }
};

__device__ inline void add_to(unsigned long long* sum, unsigned part) {
  const unsigned of_warp = __reduce_add_sync(0xffffffffu, part);
  if (threadIdx.x % 32 == 0 && of_warp != 0) atomicAdd(sum, of_warp);
}

/// Edge i, or a loop beyond the end. Read once, so that the caches are left to parents.
__device__ inline gpu_edge edge_at(const gpu_edge* pairs, std::size_t count, std::size_t i) {
  const uint2 e = i < count ? __ldcs(reinterpret_cast<const uint2*>(pairs) + i) : uint2{0, 0};
  return {e.x, e.y};
}

/// By all threads of the grid, which are whole warps.
__device__ inline void insert_pairs(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, gpu_tally* tally) {
  constexpr int at_once = 4;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  unsigned links = 0, refused = 0;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; first < count; first += at_once * threads) {
    gpu_edge e[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) e[k] = edge_at(pairs, count, first + k * threads);
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (e[k].u < vertices && e[k].v < vertices) {
        batch_rule{}(p, e[k].u, e[k].v, count_link{&links});
      } else {
        refused += first + k * threads < count;
      }
    }
  }
  add_to(&tally->links, links);
  add_to(&tally->refused, refused);
}

/// Does nothing if the giant is known and large: then insert_past_giant is launched too.
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_batch_kernel(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, gpu_tally* tally,
                        const giant_facts* known) {
  if (known != nullptr && known->worth_asking()) return;
  insert_pairs(pairs, count, p, vertices, tally);
}
/// The number of edges is not known when the graph is captured: it is copied with them.
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_staged_kernel(const staged_header* staged, gpu_parents p, gpu_id vertices, gpu_tally* tally) {
  insert_pairs(reinterpret_cast<const gpu_edge*>(staged + 1), staged->count, p, vertices, tally);
}

/// Precondition: nothing is inserted meanwhile. A warp makes 32 answers, one word.
__global__ void __launch_bounds__(backend::threads_a_block)
    query_kernel(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, std::uint32_t* answers) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, whole = (count + 31) / 32 * 32;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < whole; i += threads) {
    const gpu_edge e = i < count ? pairs[i] : gpu_edge{0, vertices};
    const bool known = e.u < vertices && e.v < vertices;
    const bool same = i < count && (e.u == e.v || (known && find::halve{}(p, e.u) == find::halve{}(p, e.v)));
    const unsigned word = __ballot_sync(0xffffffffu, same);
    if (i % 32 == 0) answers[i / 32] = word;
  }
}

struct plant_roots {
  gpu_parents p;
  gpu_id first;
  __device__ void operator()(std::size_t i) const { p.store(first + static_cast<gpu_id>(i), first + static_cast<gpu_id>(i)); }
};

}  // namespace copse::drivers
