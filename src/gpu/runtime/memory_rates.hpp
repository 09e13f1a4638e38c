// Measures how fast the memory of a GPU is, for the lower bound that solves are compared with.
#pragma once
#include <cstdint>
#include <memory_resource>

struct CUstream_st;  // what a cudaStream_t points to

namespace copse::backend {

struct memory_rates {
  double copied_bytes_per_second;  ///< bytes read plus bytes written by a copy of arrays too large for any cache
  double gathers_per_second;       ///< loads of 4-byte words at random positions of an array of `words` words
};

/// Measures each rate five times and returns the best. `memory` is memory of the GPU; 2 GiB are allocated, but at most half of what
/// is free, and 4 bytes per word. Waits for the stream. Throws resource_error.
memory_rates measure_memory(std::uint32_t words, std::pmr::memory_resource* memory, CUstream_st* stream);

}  // namespace copse::backend
