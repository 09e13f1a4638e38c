// Measures a plain copy of 16 bytes at a time per thread, and gathers of eight words per thread at random positions.
#include <cuda_runtime.h>
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/memory_rates.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace copse::backend {
namespace {

constexpr unsigned threads = 256, copy_blocks = 4096, gathers_a_thread = 8, runs = 5;
constexpr std::size_t copy_bytes = std::size_t{1} << 30;  // far larger than any cache
constexpr std::uint32_t gathering_threads = 1u << 23;

__global__ void __launch_bounds__(threads) copy(const uint4* from, uint4* to, std::size_t count) {
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count; i += std::size_t{gridDim.x} * threads) to[i] = from[i];
}

__global__ void __launch_bounds__(threads)
    gather_words(const std::uint32_t* words, std::uint32_t count, random_stream random, uint4* sums) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned k = 0; k < gathers_a_thread; ++k) {
    sum += words[static_cast<std::uint32_t>(random.below(std::uint64_t{i} * gathers_a_thread + k, count))];
  }
  if (sum == 1) sums->x = sum;  // never true, as all words are 0; keeps the compiler from removing the loads
}

class events {
public:
  events() {
    checked(cudaEventCreate(&begin_), "making an event");
    checked(cudaEventCreate(&end_), "making an event");
  }
  events(const events&) = delete;
  ~events() {
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
  }
  /// Returns the shortest time of several runs, after a run that is not timed.
  template <class F>
  double best_seconds(CUstream_st* stream, F launch) {
    float best = std::numeric_limits<float>::max();
    launch();
    for (unsigned run = 0; run < runs; ++run) {
      checked(cudaEventRecord(begin_, stream), "recording an event");
      launch();
      checked(cudaGetLastError(), "launching a kernel");
      checked(cudaEventRecord(end_, stream), "recording an event");
      checked(cudaEventSynchronize(end_), "measuring memory");
      float milliseconds = 0;
      checked(cudaEventElapsedTime(&milliseconds, begin_, end_), "asking for the time");
      best = std::min(best, milliseconds);
    }
    return best * 1e-3;
  }

private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace

memory_rates measure_memory(std::uint32_t words, std::pmr::memory_resource* memory, CUstream_st* stream) {
  std::size_t free_bytes = 0, all_bytes = 0;
  checked(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
  const std::size_t items = std::min(copy_bytes, free_bytes / 4) / sizeof(uint4);
  buffer<uint4> from{items, memory}, to{items, memory};
  buffer<std::uint32_t> gathered{words, memory};
  checked(cudaMemsetAsync(from.data(), 0, items * sizeof(uint4), stream), "clearing memory");
  if (words != 0) checked(cudaMemsetAsync(gathered.data(), 0, gathered.size() * sizeof(std::uint32_t), stream), "clearing memory");
  events clock;
  const double copy_seconds = clock.best_seconds(stream, [&] { copy<<<copy_blocks, threads, 0, stream>>>(from.data(), to.data(), items); });
  memory_rates rates{2.0 * static_cast<double>(items * sizeof(uint4)) / copy_seconds, 0};
  if (words == 0) return rates;
  const double gather_seconds = clock.best_seconds(stream, [&] {
    gather_words<<<gathering_threads / threads, threads, 0, stream>>>(gathered.data(), words, random_stream{1, 0}, to.data());
  });
  rates.gathers_per_second = static_cast<double>(gathering_threads) * gathers_a_thread / gather_seconds;
  return rates;
}

}  // namespace copse::backend
