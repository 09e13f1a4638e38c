// Unites along arcs whose ends are far apart: Rem's walk (rules/unite/rem_cas.hpp), which climbs both paths side by side, always from the
// end whose parent is larger, until the parents agree. A find of both roots would fetch every word up to them, and where ids are random
// each is a fetch from memory. Near ends share words that the L1 cache has, and there finds are quicker.
//
// The first `Steps` store nothing (trees.cuh says why), later ones halve. They do so by plain stores, of which an old one may undo a better
// one: no kernel that relies on what it flattened may unite like this beside it. Lock-free; a failed swap goes on from the value that it
// returned, so loads may be old.
#pragma once
#include <copse/rules/unite/no_link.hpp>

#include <utility>

namespace copse::own {

/// Returns a vertex of the joined tree.
template <unsigned Steps>
struct side_by_side {
  template <class P, class OnLink = unite::no_link>
  __device__ typename P::id operator()(P p, typename P::id x, typename P::id y, OnLink on_link = {}) const {
    auto above_x = p.load(x), above_y = p.load(y);
    for (unsigned step = 0; above_x != above_y; ++step) {
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
        continue;
      }
      const auto higher = p.load(above_x);
      if (step < Steps || higher == above_x) {
        x = above_x;
        above_x = higher;
      } else {
        p.store(x, higher);
        x = higher;
        above_x = p.load(higher);
      }
    }
    return above_x;
  }
};

}  // namespace copse::own
