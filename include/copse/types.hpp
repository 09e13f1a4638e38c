// The words every other file uses: vertex ids, the value that stands for "no vertex", and whether a CSR stores both directions.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>

namespace copse {

/// A vertex id or an arc offset is 32 or 64 bits, unsigned. Signed arrays of SciPy and CuPy are viewed as these: their values are the same.
template <class T>
concept unsigned_index = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// The all-ones id: never a vertex. A graph of 32-bit ids has therefore at most 2^32 - 1 vertices.
template <unsigned_index Id>
inline constexpr Id no_vertex = std::numeric_limits<Id>::max();

/// States whether a CSR stores every edge in both rows. Only then may a solve skip the giant or visit smaller neighbours only.
enum class symmetry : std::uint8_t { no, yes, unknown };

}  // namespace copse
