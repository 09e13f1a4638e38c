// Rows in a file do not say how wide their ids are in memory.
#pragma once
#include <copse/graph.hpp>

#include <cstdint>
#include <limits>

namespace copse::io {

/// `make(Id{}, Offset{})` with the narrowest types that hold them.
template <class Make>
graph with_narrowest(std::uint64_t vertices, std::uint64_t arcs, Make make) {
  constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
  if (vertices > narrow) return make(std::uint64_t{}, std::uint64_t{});
  if (arcs > narrow) return make(std::uint32_t{}, std::uint64_t{});
  return make(std::uint32_t{}, std::uint32_t{});
}

}  // namespace copse::io
