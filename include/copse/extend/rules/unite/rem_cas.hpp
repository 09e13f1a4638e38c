// Rem's algorithm with a swap at the root (Dhulipala, Hong, Shun 2020, after Patwary, Refsnes, Manne 2012): climbs from both ends at once,
// always on the side whose parent is larger, until the parents are equal; a root on that side is swapped under the other side's parent. A
// splice rule shortens the path while climbing; after a successful swap both ends may be compressed by a find rule (naive: not at all).
// Invariant: a linked vertex is always larger than its new parent, so there is no cycle. A failed swap continues from the value it
// returned.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/compress.hpp>
#include <copse/extend/rules/unite/compress_ends.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>
#include <utility>

namespace copse::unite {

template <class Find, class Splice>
struct rem_cas {
  static constexpr std::string_view name = "rem_cas";
  static constexpr std::string_view summary = "Rem's algorithm, linking by compare-and-swap (Union-Rem-CAS)";
  static constexpr rule_traits traits{.fresh_loads = Splice::moves_subtrees,
                                      .splices = true,
                                      .moves_subtrees = Splice::moves_subtrees,
                                      .compresses = find::writes_root<Find>};
  using find_rule = Find;
  using splice_rule = Splice;

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    auto x = u, y = v;
    auto above_x = p.parent(p.load(x)), above_y = p.parent(p.load(y));
    while (above_x != above_y) {
      if (above_x < above_y) {
        std::swap(x, y);
        std::swap(above_x, above_y);
      }
      if (x == above_x) {
        const auto swap = p.cas(x, p.link(x), p.link(above_y));
        if (swap.ok) {
          on_link(x, above_y);
          compress_ends<Find, Splice::moves_subtrees>(p, u, v);
          return above_y;
        }
        above_x = p.parent(swap.seen);
      } else {
        x = Splice{}(p, x, above_x, above_y);
        above_x = p.parent(p.load(x));
      }
    }
    return above_x;
  }
};

}  // namespace copse::unite
