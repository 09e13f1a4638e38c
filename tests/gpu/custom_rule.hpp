// The rule of docs/how-to/add_a_rule.md, in a kernel.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace copse::test {

/// Unites the ends of `count` pairs, and then points every vertex at its root. `parents` and `pairs` are in the memory of a GPU; every
/// parent is its own at first. Returns at once.
void unite_by_custom_rule(std::uint32_t* parents, std::size_t vertices, const std::uint32_t* pairs, std::size_t count);

}  // namespace copse::test
