// Sequential Rem with splicing (Dijkstra 1976; Patwary, Blair, Manne 2010 found it the fastest serial union-find): climbs from both ends at
// once, always on the side whose parent is larger. Each vertex passed gets the other side's parent as its own, which moves it into the tree
// that both will share. For one thread only: no other thread may change the array between a load and the store that follows.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>

namespace copse::unite {

struct rem {
  static constexpr std::string_view name = "rem";
  static constexpr std::string_view summary = "sequential Rem with splicing";
  static constexpr rule_traits traits{.concurrent = false, .moves_subtrees = true};

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id x, typename P::id y, OnLink on_link = {}) const {
    auto above_x = p.parent(p.load(x)), above_y = p.parent(p.load(y));
    while (above_x != above_y) {
      if (above_x > above_y) {
        p.store(x, p.link(above_y));
        if (x == above_x) {
          on_link(x, above_y);
          return above_y;
        }
        x = above_x;
        above_x = p.parent(p.load(x));
      } else {
        p.store(y, p.link(above_x));
        if (y == above_y) {
          on_link(y, above_x);
          return above_x;
        }
        y = above_y;
        above_y = p.parent(p.load(y));
      }
    }
    return above_x;
  }
};

}  // namespace copse::unite
