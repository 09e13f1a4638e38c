// The edges of a forest that an incremental structure has recorded.
#pragma once
#include <copse/graph.hpp>

#include <cstdint>
#include <span>
#include <variant>

namespace copse::test {

/// Of 32-bit ids. Valid as long as the forest.
inline std::span<const edge<std::uint32_t>> recorded_edges(const graph& forest) {
  return std::get<coo<std::uint32_t>>(forest.shape()).edges.span();
}

}  // namespace copse::test
