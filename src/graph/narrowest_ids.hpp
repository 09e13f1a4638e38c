// The width of ids for a number of vertices.
#pragma once
#include <copse/types.hpp>

#include <cstdint>

namespace copse {

/// Returns make(Id{}) for the narrowest type that has an id for each of `count` vertices and no_vertex beyond them.
template <class Make>
auto with_narrowest_ids(std::uint64_t count, Make make) {
  return count <= no_vertex<std::uint32_t> ? make(std::uint32_t{}) : make(std::uint64_t{});
}

}  // namespace copse
