// Radix sort on a GPU, compiled once (sort.cu): CUB's takes long to compile.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::backend {

/// 16 bytes that travel with a key.
struct alignas(16) sorted_item {
  std::uint32_t words[4];
};

/// `to` = the items of `from` in the order of their keys, of which the lowest `bits` count. `keys` are lost.
void sort_by_keys(cudaStream_t stream, std::pmr::memory_resource* memory, std::uint32_t* keys, const sorted_item* from, sorted_item* to,
                  std::size_t count, int bits);

}  // namespace copse::backend
