// The giant's label, found without leaving the GPU: one block samples labels into shared memory, sorts them there, and the longest run of
// equal ones wins. A wrong guess is never wrong, only slow.
#pragma once
#include <backend/cuda/cuda.cuh>
#include <copse/core/memory.hpp>
#include <copse/core/types.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned most_samples = 2048;  // a power of two; more would not fit a block's shared memory, nor tell more

/// `winner` = the most frequent of label(v) of `samples` random vertices, the smallest of several. One block; `places`: the power of two
/// from `samples` up.
template <class Label>
__global__ void __launch_bounds__(1024)
    vote(std::uint32_t n, Label label, unsigned samples, unsigned places, random_stream random, std::uint32_t* winner) {
  __shared__ std::uint32_t seen[most_samples];
  __shared__ unsigned long long best;
  for (unsigned k = threadIdx.x; k < places; k += blockDim.x) {
    seen[k] = k < samples ? label(static_cast<std::uint32_t>(random.below(k, n))) : no_vertex<std::uint32_t>;
  }
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  // Bitonic sort (Batcher 1968): pairs at a distance of `reach` are put in order, ascending where bit `size` of their place is 0.
  for (unsigned size = 2; size <= places; size *= 2) {
    for (unsigned reach = size / 2; reach > 0; reach /= 2) {
      for (unsigned k = threadIdx.x; k < places; k += blockDim.x) {
        const unsigned other = k ^ reach;
        if (other < k) continue;
        const std::uint32_t low = seen[k], high = seen[other];
        if ((low > high) == ((k & size) == 0)) {
          seen[k] = high;
          seen[other] = low;
        }
      }
      __syncthreads();
    }
  }
  for (unsigned k = threadIdx.x; k < samples; k += blockDim.x) {
    if (k > 0 && seen[k] == seen[k - 1]) continue;
    unsigned last = k, beyond = samples;  // of the run that begins here
    while (beyond - last > 1) {
      const unsigned middle = last + (beyond - last) / 2;
      (seen[middle] == seen[k] ? last : beyond) = middle;
    }
    atomicMax(&best, (static_cast<unsigned long long>(beyond - k) << 32) | (no_vertex<std::uint32_t> - seen[k]));
  }
  __syncthreads();
  if (threadIdx.x == 0) *winner = no_vertex<std::uint32_t> - static_cast<std::uint32_t>(best);
}

/// Precondition: n > 0. Waits for the answer.
template <class Label>
std::uint32_t most_frequent_label(const cuda& loops, std::uint32_t n, Label label, unsigned samples, std::uint64_t seed) {
  buffer<std::uint32_t> winner{1, loops.memory()};
  loops.before_launch();
  const unsigned asked = std::clamp(samples, 1u, most_samples);
  vote<<<1, 1024, 0, loops.stream()>>>(n, label, asked, std::bit_ceil(asked), random_stream{seed, 0}, winner.data());
  cuda::launched();
  std::uint32_t label_of_giant = 0;
  checked(cudaMemcpyAsync(&label_of_giant, winner.data(), sizeof label_of_giant, cudaMemcpyDeviceToHost, loops.stream()),
          "asking for the giant");
  loops.wait();
  return label_of_giant;
}

}  // namespace copse::backend
