// Edges whose ends may be no vertices: what a caller hands over, or what names new vertices.
#pragma once
#include <copse/views.hpp>

#include <cstddef>

namespace copse::fast {

/// An end of an edge is no vertex. Who holds the caller's view tells where.
struct unknown_end {};

/// Edges whose ends are looked at together, just before they are united: they are in the first cache then, and read from memory once. Few,
/// so that they push out no parents that were asked for.
inline constexpr std::size_t edges_looked_at = 256;

/// Are all ends of edges [first, last) below n? Without a branch per edge.
template <class Edges, class Id>
bool ends_are_known(const Edges& edges, std::size_t first, std::size_t last, Id n) {
  Id wrong = 0;
  for (std::size_t i = first; i < last; ++i) {
    const edge<Id> e = edges[i];
    wrong |= static_cast<Id>(e.u >= n) | static_cast<Id>(e.v >= n);
  }
  return wrong == 0;
}

/// Edges with an end of n or more are as loops, which have no vote.
template <class Edges, class Id>
struct edges_of_known {
  const Edges& edges;
  Id n;
  edge<Id> operator[](std::size_t i) const noexcept {
    const edge<Id> e = edges[i];
    return e.u < n && e.v < n ? e : edge<Id>{};
  }
};

}  // namespace copse::fast
