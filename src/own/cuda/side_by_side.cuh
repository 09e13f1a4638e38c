// Unites along arcs whose ends are far apart. Both paths are climbed side by side, always from the end whose parent is larger, until the
// parents agree: Rem's walk (rules/unite/rem_cas.hpp), but no path is shortened on the way (trees.cuh says why). A find of both roots
// fetches every word up to them, and where ids are random a word is a fetch from memory. Near ends share words that the L1 cache has, and
// there finds are quicker. A walk that is long all the same goes on as finds that halve. Lock-free.
#pragma once
#include <copse/rules/unite/async.hpp>
#include <copse/rules/unite/no_link.hpp>
#include <own/cuda/trees.cuh>

#include <utility>

namespace copse::own {

using gpu_unite = unite::async<patient<long_path>>;

/// Returns a vertex of the joined tree. A failed swap goes on from the value it returned, so loads may be old.
struct side_by_side {
  template <class P, class OnLink = unite::no_link>
  __device__ typename P::id operator()(P p, typename P::id x, typename P::id y, OnLink on_link = {}) const {
    auto above_x = p.load(x), above_y = p.load(y);
    for (unsigned step = 0; step < 2 * long_path; ++step) {
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
    return unite::async<patient<0>>{}(p, x, y, on_link);
  }
};

}  // namespace copse::own
