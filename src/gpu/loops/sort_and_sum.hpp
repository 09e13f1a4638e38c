// Sorts and sums on a GPU, compiled once (sort_and_sum.cu): CUB's take long to compile.
#pragma once
#include <cuda_runtime_api.h>
#include <gpu/runtime/gpu.hpp>

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

/// counts[i] = counts[0] + ... + counts[i - 1], in items + 1 entries, the last of which was not set before.
void prefix_sums_async(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items);
/// As prefix_sums_async. Waits for the last sum and returns it.
std::uint64_t prefix_sums(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items);

}  // namespace copse::backend
