// Samples rows in the first kernel of a solve, and decides by what they show how the solve begins (plan.hpp).
#pragma once
#include <fast/cuda/plan.hpp>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/workspace.hpp>
#include <gpu/steps/device_list.cuh>
#include <loops/arcs.hpp>
#include <loops/row_sample.hpp>

#include <cstdint>
#include <type_traits>

namespace copse::fast {

/// The parameters of a sample of rows.
struct sampling {
  std::uint64_t seed;
  bool forest;  ///< true if links are recorded, for a spanning forest
};

// The number of blocks that sample, one warp in each, so that all warps work on different multiprocessors.
inline constexpr unsigned most_samplers = backend::sampled_rows / warp_threads;

/// Adds the counts of the threads of a warp, `mine` in each, to `sums`. All threads of the warp call it.
__device__ inline void add_of_warp(backend::row_sample& sums, const backend::row_sample& mine) {
  backend::row_sample::for_each_count(sums, mine, []<class Count>(Count& sum, Count count) {
    // The sums of 16 bits and of the others are below 2^32 each: a row has fewer than 2^32 arcs.
    using word = unsigned long long;
    const unsigned low = __reduce_add_sync(whole_warp, static_cast<unsigned>(count & 0xFFFF));
    const unsigned high = __reduce_add_sync(whole_warp, static_cast<unsigned>(count >> 16));
    const word of_warp = (word{high} << 16) + low;
    using of_sum = std::conditional_t<sizeof(Count) == sizeof(word), word, unsigned>;
    if (threadIdx.x % warp_threads == 0 && of_warp != 0) atomicAdd(reinterpret_cast<of_sum*>(&sum), static_cast<of_sum>(of_warp));
  });
}

/// Samples the calling block's share of the rows, as one of the first `samplers` blocks. Only the first warp of a block calls it.
template <class Id>
__device__ void sample_rows(const backend::any_rows<Id>& rows, std::uint64_t seed, unsigned samplers, gpu_counters<Id>* counters) {
  backend::row_sample mine;
  const unsigned stride = samplers * warp_threads;
  for (unsigned k = blockIdx.x * warp_threads + threadIdx.x; k < backend::sampled_rows; k += stride) mine.add(rows, seed, k);
  add_of_warp(counters->sample, mine);
  if (threadIdx.x != 0) return;
  __threadfence();
  atomicAdd(&counters->sampled, 1u);
}

/// Returns what foreseen_rows rows show, one for each thread of the calling block. All of its threads call it.
template <class Id>
__device__ const backend::row_sample& sample_of_block(const backend::any_rows<Id>& rows, std::uint64_t seed) {
  static_assert(backend::threads_a_block == foreseen_rows);
  __shared__ backend::row_sample seen;
  if (threadIdx.x == 0) seen = {};
  __syncthreads();
  backend::row_sample mine;
  mine.add(rows, seed, threadIdx.x);
  add_of_warp(seen, mine);
  __syncthreads();
  return seen;
}

/// Waits until all rows of the sample have been looked at. Returns the course that they suggest. All threads of the block call it.
template <class Id>
__device__ course planned_course(const backend::any_rows<Id>& rows, bool forest, unsigned samplers, const gpu_counters<Id>* counters) {
  __shared__ course next;
  if (threadIdx.x == 0) {
    while (*static_cast<const volatile unsigned*>(&counters->sampled) != samplers) __nanosleep(32);
    __threadfence();
    next = planned(rows.vertices(), rows.arcs, rows.sorted, forest, counters->sample);
  }
  __syncthreads();
  return next;
}

}  // namespace copse::fast
