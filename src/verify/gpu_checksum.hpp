// checksum() of labels in the memory of a GPU, so that a bench which compares the labels of every solve need not copy them out.
#pragma once
#include <cstdint>
#include <memory_resource>
#include <span>

struct CUstream_st;  // what a cudaStream_t points to

namespace copse {

/// What checksum() says of the same labels of vertices 0 .. n - 1. O(n); `memory` is the GPU's: some bytes. The stream is waited for.
std::uint64_t checksum_on_gpu(std::span<const std::uint32_t> labels, std::pmr::memory_resource* memory, CUstream_st* stream);

}  // namespace copse
