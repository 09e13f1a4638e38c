// Basic types: vertex ids, the id that means "no vertex", and whether a CSR stores both directions.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>

namespace copse {

/// The type of a vertex id or an arc offset: unsigned with 32 or 64 bits. Signed arrays of SciPy and CuPy are viewed as unsigned, because
/// their values are the same.
template <class T>
concept unsigned_index = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// The id with all bits set, which is never a vertex. So a graph with 32-bit ids has at most 2^32 - 1 vertices.
template <unsigned_index Id>
inline constexpr Id no_vertex = std::numeric_limits<Id>::max();

/// Whether a CSR stores both arcs u -> v and v -> u of every edge. Only then may a solve skip the rows of the giant component, or visit
/// only smaller neighbours.
enum class symmetry : std::uint8_t { no, yes, unknown };

}  // namespace copse
