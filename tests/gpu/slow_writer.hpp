// Kernels of a caller: what tests of the caller's stream put before a solve and after it.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace copse::test {

/// When a slow kernel begins to write: after so long and not before `gate`, in page-locked host memory, is 1; without it after `most`.
struct delay {
  std::uint64_t least_nanoseconds, most_nanoseconds;
  const volatile std::uint32_t* gate;
};

/// Copies words on the GPU. Returns at once.
void write_slowly(std::uint32_t* to, const std::uint32_t* from, std::size_t words, delay how, cudaStream_t stream);

/// Fills words on the GPU. Returns at once.
void overwrite(std::uint32_t* to, std::size_t words, std::uint32_t with, cudaStream_t stream);

}  // namespace copse::test
