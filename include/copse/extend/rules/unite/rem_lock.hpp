// Rem's algorithm with a lock at the root (Patwary, Refsnes, Manne 2012; Union-Rem-Lock): climbs as rem_cas does. It locks a root, checks
// that it is still a root and that the other parent is still smaller, and only then links it by a store. A thread holds one lock at a time,
// and takes and releases it in one branch, so that no thread of a warp waits for another. If the lock is taken, another thread is linking
// this root, and the loop loads it again.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/compress.hpp>
#include <copse/extend/rules/unite/compress_ends.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>
#include <utility>

namespace copse::unite {

template <class Find, class Splice>
struct rem_lock {
  static constexpr std::string_view name = "rem_lock";
  static constexpr std::string_view summary = "Rem's algorithm, linking under a lock (Union-Rem-Lock)";
  static constexpr rule_traits traits{.fresh_loads = true,
                                      .splices = true,
                                      .moves_subtrees = Splice::moves_subtrees,
                                      .compresses = find::writes_root<Find>,
                                      .aux = aux_array::flags};
  using find_rule = Find;
  using splice_rule = Splice;

  /// P accesses parents and a flag per vertex, which is set while a thread holds the lock of this vertex (basic_flagged in
  /// src/parents/aux_arrays.hpp).
  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    auto x = u, y = v;
    auto above_x = p.parent(p.load(x)), above_y = p.parent(p.load(y));
    while (above_x != above_y) {
      if (above_x < above_y) {
        std::swap(x, y);
        std::swap(above_x, above_y);
      }
      if (x != above_x) {
        x = Splice{}(p, x, above_x, above_y);
      } else if (p.try_lock(x)) {
        above_y = p.parent(p.load(y));
        const bool link = p.is_root(x, p.load(x)) && above_y < x;
        if (link) p.store(x, p.link(above_y));
        p.unlock(x);
        if (link) {
          on_link(x, above_y);
          compress_ends<Find, Splice::moves_subtrees>(p, u, v);
          return above_y;
        }
      } else {
        p.relax();
      }
      above_x = p.parent(p.load(x));
      above_y = p.parent(p.load(y));
    }
    return above_x;
  }
};

}  // namespace copse::unite
