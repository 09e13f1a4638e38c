// Unites along arcs whose ends are far apart: Rem's walk (rules/unite/rem_cas.hpp), which climbs both paths side by side, always from the
// end whose parent is larger, until the parents agree. A find of both roots would fetch every word up to them, and where ids are random
// each is a fetch from memory. Near ends share words that the L1 cache has, and there finds are quicker.
//
// The first `Steps` store nothing (trees.cuh says why). A walk that is longer goes on with `Then`, which shortens paths. Lock-free; a
// failed swap goes on from the value that it returned, so loads may be old.
#pragma once
#include <copse/extend/rules/unite/no_link.hpp>

#include <utility>

namespace copse::fast {

/// Returns a vertex of the joined tree.
template <unsigned Steps, class Then>
struct side_by_side {
  template <class P, class OnLink = unite::no_link>
  __device__ typename P::id operator()(P p, typename P::id x, typename P::id y, OnLink on_link = {}) const {
    auto above_x = p.load(x), above_y = p.load(y);
    for (unsigned step = 0; step < Steps; ++step) {
      if (above_x == above_y) return above_x;
      if (above_x < above_y) {
        std::swap(x, y);
        std::swap(above_x, above_y);
      }
      if (x == above_x) {
        const auto swap = p.cas(x, x, above_y);
        if (swap.ok) {
          on_link(x, above_y);
          return above_y;
        }
        above_x = swap.seen;
      } else {
        x = above_x;
        above_x = p.load(x);
      }
    }
    return Then{}(p, x, y, on_link);
  }
};

}  // namespace copse::fast
