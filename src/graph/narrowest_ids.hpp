// Chooses the width of ids for a number of vertices.
#pragma once
#include <copse/types.hpp>

#include <cstdint>

namespace copse {

/// Returns make(Id{}) for the narrowest type Id that can number `count` vertices and has no_vertex in addition.
template <class Make>
auto with_narrowest_ids(std::uint64_t count, Make make) {
  return count <= no_vertex<std::uint32_t> ? make(std::uint32_t{}) : make(std::uint64_t{});
}

}  // namespace copse
