// Reads the arrays of vertices from the places of arcs in a tour. The arcs that leave v are met in the order of its row, which begins
// behind the arc to the parent and ends with it: so the last met leads up, the first met follows the arc that led down to v, and between
// these two lies the subtree, each edge twice. Of the places up to v's arc down, d lead down and the others up: d less these is the depth,
// and d vertices that are no roots have been met.
//
// Cost: rows and places are read once in order; besides, each vertex reads the bits of the arcs down once and writes its place in the
// order.
#pragma once
#include <copse/memory.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/views.hpp>
#include <drivers/rooting/down_arcs.hpp>
#include <drivers/rooting/successors.hpp>
#include <graph/scan.hpp>

#include <algorithm>
#include <span>

namespace copse::drivers {

/// `labels`: the roots; `roots`: the same in ascending order, including those without arcs.
template <class Loops, unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> read_tour(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> labels, std::span<const Id> roots,
                                  std::span<const Offset> places, std::pmr::memory_resource* memory) {
  const std::size_t n = labels.size();
  forest_tour::arrays<Id> result{buffer<Id>{n, memory}, buffer<Id>{n, memory}, buffer<Id>{n, memory}, buffer<Id>{n, memory},
                                 buffer<Id>{n, memory}};
  const Offset* const offsets = rows.offsets.data();
  buffer<Offset> apart;  // only if ways down do not fit into the array of depths
  Offset* ways_down = nullptr;
  if constexpr (sizeof(Id) == sizeof(Offset)) {
    ways_down = result.depths.data();
  } else {
    apart = buffer<Offset>{n, memory};
    ways_down = apart.data();
  }
  down_arcs<Loops, Offset> down{loops, places.size(), memory};
  loops.for_blocks(n, [&, offsets, place = places.data()](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (labels[v] == v) continue;
      const Offset first = offsets[v], last = offsets[v + 1];
      // Places ascend up to that of the arc to the parent, and again from lower ones after it.
      const auto behind = std::partition_point(place + first, place + last, [least = place[first]](Offset p) { return p >= least; });
      const auto up = behind - 1;
      const Offset way_down = (behind == place + last ? place[first] : *behind) - 1;
      result.parents[v] = rows.targets[static_cast<std::size_t>(up - place)];
      result.sizes[v] = static_cast<Id>((*up - way_down + 1) / 2);
      ways_down[v] = way_down;
      down.set(way_down);
    }
  });
  down.count();
  buffer<Id> starts{roots.size(), memory};  // of trees, in the order
  loops.for_blocks(roots.size(), [&, offsets](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Id r = roots[i];
      const bool alone = offsets[r] == offsets[r + 1];
      const Id size = alone ? 1 : static_cast<Id>((places[last_arc_of_tree(rows, r)] - places[offsets[r]] + 1) / 2 + 1);
      result.parents[r] = r;
      result.depths[r] = 0;
      result.sizes[r] = starts[i] = size;
      result.preorder[r] = static_cast<Id>(i);  // temporarily: the number of its tree
    }
  });
  exclusive_scan(starts.span(), loops.threads());
  loops.for_blocks(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Id root = labels[v];
      if (root == v) continue;
      const Offset way_down = ways_down[v], met = down.through(way_down);
      result.depths[v] = static_cast<Id>(2 * met - way_down - 1);
      const Id at = static_cast<Id>(met + result.preorder[root]);
      result.preorder[v] = at;
      result.order[at] = static_cast<Id>(v);
    }
  });
  loops.for_blocks(roots.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      result.preorder[roots[i]] = starts[i];
      result.order[starts[i]] = roots[i];
    }
  });
  return result;
}

}  // namespace copse::drivers
