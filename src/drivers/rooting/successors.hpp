// The Euler tour of a forest as a list of its arcs, which are the positions in its rows. A tour that comes to v along u -> v leaves along
// the arc after v -> u in v's row, or the first if that is the last: so it walks around a tree, each edge twice (Tarjan and Vishkin, An
// efficient parallel biconnectivity algorithm, SIAM J. Comput. 1985). At its root the walk is cut and continued in the next tree: one list
// for all.
//
// Rows are sorted, so the tour depends on the edges alone. The arc back is searched for in a row of few arcs or in the shorter of the two,
// once per edge; one of the two is the child's, so all searches together take O(n). Data needed later is prefetched.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <drivers/rooting/ascending.hpp>

#include <algorithm>
#include <span>

namespace copse::drivers {

/// The arc that leads back to root r last. It leaves the last vertex of r's row, in whose row r is the first, as the smallest of the tree.
template <unsigned_index Id, unsigned_index Offset>
Offset last_arc_of_tree(csr_view<Id, Offset> rows, Id root) noexcept {
  return rows.offsets[rows.targets[rows.offsets[root + 1] - 1]];
}

/// Of the arcs of a forest, the one after each; the last of all follows itself. `roots`: ascending, the smallest vertex of each tree.
template <class Loops, unsigned_index Id, unsigned_index Offset>
buffer<Offset> tour_successors(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> roots,
                               std::pmr::memory_resource* memory) {
  constexpr Offset few = 8;     // arcs: searching a row of these is cheaper than comparing it with another
  constexpr Offset ahead = 32;  // arcs: two misses, one behind the other, take as long
  buffer<Offset> after{rows.targets.size(), memory};
  Offset* const next = after.data();
  const Offset* const offsets = rows.offsets.data();
  const Id* const targets = rows.targets.data();
  const Offset arcs = rows.arcs();
  loops.for_row_pieces(rows, [=](Id v, Offset first, Offset last) {
    const Offset v_begin = offsets[v], v_end = offsets[v + 1];
    for (Offset out = first; out < last; ++out) {
      if (arcs - out > ahead) {
        const Id later = targets[out + ahead], soon = targets[out + ahead / 2];
        if (later > v) __builtin_prefetch(offsets + later);
        if (soon > v) {
          __builtin_prefetch(targets + offsets[soon]);
          __builtin_prefetch(next + offsets[soon], 1);
        }
      }
      const Id u = targets[out];
      if (u < v && v_end - v_begin <= few) continue;
      const Offset u_begin = offsets[u], u_end = offsets[u + 1];
      // The smaller end searches the larger end's row, or else the larger end searches the smaller's.
      const bool searches = v < u ? u_end - u_begin <= std::max(few, v_end - v_begin) : u_end - u_begin < v_end - v_begin;
      if (!searches) continue;
      Offset back = u_begin;
      while (targets[back] != v) ++back;
      next[back] = out + 1 == v_end ? v_begin : out + 1;
      next[out] = back + 1 == u_end ? u_begin : back + 1;
    }
  });
  const auto grown = ascending<Id>(
      loops, roots.size(), [=](std::size_t i) { return offsets[roots[i]] != offsets[roots[i] + 1]; }, memory);
  loops.for_blocks(grown.size(), [=, &grown](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Offset last = last_arc_of_tree(rows, roots[grown[i]]);
      next[last] = i + 1 < grown.size() ? offsets[roots[grown[i + 1]]] : last;
    }
  });
  return after;
}

}  // namespace copse::drivers
