#include "slow_writer.hpp"

namespace copse::test {
namespace {

constexpr unsigned blocks = 64, threads = 256;  // every GPU holds all of them at once

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait_and_copy(std::uint32_t* to, const std::uint32_t* from, std::size_t words, delay how) {
  if (threadIdx.x == 0) {
    const std::uint64_t start = nanoseconds();
    for (std::uint64_t spent = 0; spent < how.most_nanoseconds; spent = nanoseconds() - start) {
      if (spent >= how.least_nanoseconds && *how.gate == 1) break;
    }
  }
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) to[i] = from[i];
}

__global__ void fill(std::uint32_t* to, std::size_t words, std::uint32_t with) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) to[i] = with;
}

}  // namespace

void write_slowly(std::uint32_t* to, const std::uint32_t* from, std::size_t words, delay how, cudaStream_t stream) {
  wait_and_copy<<<blocks, threads, 0, stream>>>(to, from, words, how);
}

void overwrite(std::uint32_t* to, std::size_t words, std::uint32_t with, cudaStream_t stream) {
  fill<<<blocks, threads, 0, stream>>>(to, words, with);
}

}  // namespace copse::test
