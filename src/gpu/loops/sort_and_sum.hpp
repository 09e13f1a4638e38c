// Sorts and prefix sums on a GPU. They are compiled once (sort_and_sum.cu), because CUB's templates take long to compile.
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

/// Writes the items of `from` to `to` in the order of their keys, comparing the lowest `bits` bits. The contents of `keys` are lost.
void sort_by_keys(cudaStream_t stream, std::pmr::memory_resource* memory, std::uint32_t* keys, const sorted_item* from, sorted_item* to,
                  std::size_t count, int bits);

/// Sets counts[i] to counts[0] + ... + counts[i - 1], for `items` + 1 entries; the last entry need not be set before.
void prefix_sums_async(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items);
/// Sets counts[i] to the sum of the counts before it, for `items` + 1 entries; waits for the last sum and returns it.
std::uint64_t prefix_sums(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items);

}  // namespace copse::backend
