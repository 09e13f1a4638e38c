// A list of edges, each once, in any direction and order.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/types.hpp>

#include <span>

namespace copse {

/// One edge; 8 or 16 bytes without padding, so that an array of them is a `.coo` file and a two-column `.npy`.
template <unsigned_index Id>
struct edge {
  Id u;
  Id v;
  friend bool operator==(const edge&, const edge&) = default;
  friend auto operator<=>(const edge&, const edge&) = default;
};

/// Borrows an edge list over vertices 0 .. vertices - 1. Trivially copyable.
template <unsigned_index Id>
struct coo_view {
  using id_type = Id;

  Id vertex_count = 0;
  std::span<const edge<Id>> edges;

  [[nodiscard]] Id vertices() const noexcept { return vertex_count; }
};

/// Owns an edge list.
template <unsigned_index Id>
struct coo {
  using id_type = Id;

  Id vertex_count = 0;
  buffer<edge<Id>> edges;

  [[nodiscard]] coo_view<Id> view() const noexcept { return {vertex_count, edges.span()}; }
};

}  // namespace copse
