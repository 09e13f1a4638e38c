// What a search for bridges finds, whichever search it was.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::drivers {

/// A bridge, as the edge of a rooted spanning forest that it is.
template <unsigned_index Id>
struct tree_bridge {
  std::uint64_t position;  ///< in the list of edges, or of its arc in the row of its smaller end
  Id parent, child;
  Id smaller_side;  ///< vertices
};

/// In which block each edge of the forest is. Every block but for one vertex, its head, hangs on the head.
template <unsigned_index Id>
struct named_blocks {
  buffer<Id> block_of;  ///< by vertex: the number of the block of the forest's edge above it; no_vertex for roots
  buffer<Id> heads;     ///< by block
};

/// The same from places in preorder. `tops`: the place of each block's topmost vertex but for its head; `top_of(p)`: of the block of the
/// edge above p. `parent(p)`: p for roots.
template <class Loops, unsigned_index Id, class Parent, class TopOf>
named_blocks<Id> name_blocks(const Loops& loops, std::span<const Id> order, std::span<const Id> tops, Parent parent, TopOf top_of,
                             std::pmr::memory_resource* memory) {
  named_blocks<Id> named{buffer<Id>{order.size(), memory}, buffer<Id>{tops.size(), memory}};
  buffer<Id> numbers{order.size(), memory};
  loops.for_each(tops.size(), [&, order, tops, parent](std::size_t i) {
    numbers[tops[i]] = static_cast<Id>(i);
    named.heads[i] = order[parent(tops[i])];
  });
  loops.for_each(order.size(), [&, order, parent, top_of](std::size_t p) {
    named.block_of[order[p]] = parent(p) == p ? no_vertex<Id> : numbers[top_of(p)];
  });
  return named;
}

template <unsigned_index Id>
struct found_cuts {
  found_cuts(std::size_t vertices, std::pmr::memory_resource* memory) : points{vertices, memory}, labels{vertices, memory} {}

  std::uint64_t components = 0, blocks = 0;
  std::uint64_t repeats = 0;        ///< edges that repeat one of the forest
  buffer<tree_bridge<Id>> bridges;  ///< in no order
  buffer<unsigned char> points;     ///< by vertex: 1 for articulation points, 0 for all others
  buffer<Id> labels;                ///< by vertex: the smallest of its two-edge-connected component
  named_blocks<Id> named;           ///< if blocks are asked for
};

}  // namespace copse::drivers
