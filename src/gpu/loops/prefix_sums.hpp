// Sums of counts on a GPU, compiled once (prefix_sums.cu).
#pragma once
#include <gpu/runtime/gpu.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::backend {

/// counts[i] = counts[0] + ... + counts[i - 1], in items + 1 entries, the last of which was not set before.
void prefix_sums_async(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items);
/// The same. Returns the last; waits for it.
std::uint64_t prefix_sums(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items);

}  // namespace copse::backend
