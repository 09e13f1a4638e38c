// Quantiles of the ranks of all edges, from a sample.
#pragma once
#include <core/random.hpp>
#include <weighted/cuda/space.cuh>

#include <cub/block/block_radix_sort.cuh>

namespace copse::weighted {

inline constexpr unsigned sampling_threads = 1024, samples_a_thread = 4;
inline constexpr unsigned sample_count = sampling_threads * samples_a_thread;

/// One block.
static __global__ void __launch_bounds__(sampling_threads) take_samples(keyed_rows rows, unsigned long long* samples) {
  using sorter = cub::BlockRadixSort<unsigned long long, sampling_threads, samples_a_thread>;
  __shared__ typename sorter::TempStorage room;
  unsigned long long ranks[samples_a_thread];
#pragma unroll
  for (unsigned k = 0; k < samples_a_thread; ++k) {
    const auto arc = static_cast<std::uint32_t>(mix(threadIdx.x * samples_a_thread + k) % rows.arcs);
    ranks[k] = rank_of(rows.keys[arc], arc);
  }
  sorter{room}.Sort(ranks);
#pragma unroll
  for (unsigned k = 0; k < samples_a_thread; ++k) samples[threadIdx.x * samples_a_thread + k] = ranks[k];
}

/// Edges beyond the sample of place `after` up to the one of place `upto`. After 0: from the first edge; up to sample_count: to the last.
struct rank_range {
  unsigned after, upto;

  struct bounds {
    unsigned long long low, high;
    [[nodiscard]] __device__ bool holds(unsigned long long rank) const { return low < rank + 1 && rank <= high; }
  };
  /// Ranks are above low - 1: no rank is as large as no_rank.
  [[nodiscard]] __device__ bounds on(const unsigned long long* samples) const {
    return {after == 0 ? 0 : samples[after] + 1, upto == sample_count ? no_rank : samples[upto]};
  }
};

}  // namespace copse::weighted
