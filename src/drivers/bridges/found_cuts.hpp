// The results of a search for bridges, in the form that all search algorithms return.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/new_pages.hpp>
#include <sample/giant.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::drivers {

/// A bridge, as an edge of a rooted spanning forest.
template <unsigned_index Id>
struct tree_bridge {
  std::uint64_t position;  ///< index in the list of edges, or index of its arc in the row of its smaller end
  Id parent, child;
  Id smaller_side;  ///< number of vertices on the smaller side
};

/// A block (biconnected component) and its vertices. All of them but one, the head, are below the head in the forest.
template <unsigned_index Id>
struct block_summary {
  Id head;
  Id least, second;  ///< the two smallest vertices of the block
  Id size;           ///< number of vertices in the block
};

template <unsigned_index Id>
struct named_blocks {
  /// block_of[v] is the index in `blocks` of the block that contains the forest edge from v to its parent. It is no_vertex for roots, for
  /// bridges, and for blocks of two vertices, which are the `least` and `second` of their summaries.
  buffer<Id> block_of;
  buffer<block_summary<Id>> blocks;
};

/// Computes the sizes and smallest vertices of blocks. Precondition: all blocks have their heads, and all vertices except roots their
/// blocks.
template <class Loops, unsigned_index Id>
void summarise(const Loops& loops, named_blocks<Id>& named) {
  const auto block_of = named.block_of.span();
  const auto blocks = named.blocks.span();
  const std::size_t n = block_of.size();
  if (blocks.empty()) return;
  using parents = typename Loops::template parents<Id>;
  const auto lower = [](Id& word, std::size_t value) { parents{&word}.fetch_min(Id{0}, static_cast<Id>(value)); };
  const auto add = [](Id& word, Id more) {
    if constexpr (Loops::concurrent) {
      std::atomic_ref<Id>{word}.fetch_add(more, std::memory_order_relaxed);
    } else {
      word = static_cast<Id>(word + more);
    }
  };
  // Threads would contend for the size of a block that has most of the vertices, so the vertices of the most frequent block are counted per
  // range of vertices first. That block is estimated from `samples` random vertices; for a vertex without a block, the next one with a
  // block is taken, after at most `probes` vertices including the first.
  constexpr unsigned samples = 1024, probes = 64;
  const Id giant = sample::most_frequent_label(
      static_cast<Id>(n),
      [block_of, n](std::size_t v) {
        for (unsigned k = 1; k < probes && block_of[v] == no_vertex<Id>; ++k) v = v + 1 == n ? 0 : v + 1;  // skip vertices without a block
        return block_of[v];
      },
      samples, 1);
  loops.for_each(blocks.size(), [blocks](std::size_t b) { blocks[b] = {blocks[b].head, blocks[b].head, no_vertex<Id>, 1}; });
  loops.for_blocks(n, [=](std::size_t begin, std::size_t end) {
    Id in_giant = 0;
    for (std::size_t v = begin; v < end; ++v) {
      const Id b = block_of[v];
      if (b == no_vertex<Id>) continue;
      lower(blocks[b].least, v);
      if (b == giant) {
        ++in_giant;
      } else {
        add(blocks[b].size, 1);
      }
    }
    if (in_giant != 0) add(blocks[giant].size, in_giant);
  });
  loops.for_each(blocks.size(), [blocks](std::size_t b) {
    if (blocks[b].head != blocks[b].least) blocks[b].second = blocks[b].head;
  });
  loops.for_each(n, [=](std::size_t v) {
    const Id b = block_of[v];
    if (b == no_vertex<Id>) return;
    if (v != blocks[b].least) lower(blocks[b].second, v);
    if (blocks[b].size == 2) block_of[v] = no_vertex<Id>;
  });
}

/// Numbers the blocks in the order of `tops`, and returns the number of the block above each vertex and a summary of each block. Vertices
/// are given by their places in preorder; `order`: the vertex at each place. `tops`: per block, the topmost place of its vertices other
/// than the head, which is the topmost of all. `top_of(p)`: that place for the block of the edge from p to its parent, or no_vertex for a
/// block that gets no number. `parent(p)`: the place of the parent, or p for roots.
template <class Loops, unsigned_index Id, class Parent, class TopOf>
named_blocks<Id> name_blocks(const Loops& loops, std::span<const Id> order, std::span<const Id> tops, Parent parent, TopOf top_of,
                             std::pmr::memory_resource* memory) {
  named_blocks<Id> named{touched_buffer<Id>(loops.threads(), order.size(), memory),
                         touched_buffer<block_summary<Id>>(loops.threads(), tops.size(), memory)};
  auto numbers = touched_buffer<Id>(loops.threads(), order.size(), memory);
  loops.for_each(tops.size(), [&, order, tops, parent](std::size_t i) {
    numbers[tops[i]] = static_cast<Id>(i);
    named.blocks[i].head = order[parent(tops[i])];
  });
  loops.for_each(order.size(), [&, order, parent, top_of](std::size_t p) {
    const Id top = parent(p) == p ? no_vertex<Id> : static_cast<Id>(top_of(p));
    named.block_of[order[p]] = top == no_vertex<Id> ? no_vertex<Id> : numbers[top];
  });
  summarise(loops, named);
  return named;
}

template <unsigned_index Id>
struct found_cuts {
  found_cuts(std::size_t vertices, unsigned threads, std::pmr::memory_resource* memory)
      : points{touched_buffer<unsigned char>(threads, vertices, memory)}, labels{touched_buffer<Id>(threads, vertices, memory)} {}

  std::uint64_t components = 0;
  std::uint64_t blocks = 0;         ///< bridges are blocks, too
  std::uint64_t repeats = 0;        ///< edges that repeat an edge of the forest
  buffer<tree_bridge<Id>> bridges;  ///< in no order
  buffer<unsigned char> points;     ///< by vertex: 1 for articulation points, 0 for all others
  buffer<Id> labels;                ///< by vertex: the smallest of its two-edge-connected component
  named_blocks<Id> named;           ///< the blocks that are not bridges; empty unless asked for
};

}  // namespace copse::drivers
