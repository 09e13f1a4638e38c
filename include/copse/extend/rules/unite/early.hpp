// Early recognition (Dhulipala, Hong, Shun 2020, after Jayanti and Tarjan): climbs from both ends at once, always from the larger of the
// two current vertices, and stops when they are the same. If the larger is a root, it is swapped under the smaller; otherwise its path is
// split and the climb continues at its parent. After a link both ends may be compressed by a find rule (naive: not at all). Invariant: a
// linked vertex is always larger than its new parent. A failed swap continues from the value it returned.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/compress_ends.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>
#include <utility>

namespace copse::unite {

template <class Find>
struct early {
  static constexpr std::string_view name = "early";
  static constexpr std::string_view summary = "climb from both ends, stop at the first common vertex (Union-Early)";
  static constexpr rule_traits traits{};
  using find_rule = Find;

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    auto x = u, y = v;
    while (x != y) {
      if (x < y) std::swap(x, y);
      auto parent = p.parent(p.load(x));
      if (parent == x) {
        const auto swap = p.cas(x, p.link(x), p.link(y));
        if (swap.ok) {
          on_link(x, y);
          compress_ends<Find>(p, u, v);
          return y;
        }
        parent = p.parent(swap.seen);
      } else if (const auto grandparent = p.parent(p.load(parent)); grandparent != parent) {
        p.store(x, p.link(grandparent));
      }
      x = parent;
    }
    return x;
  }
};

}  // namespace copse::unite
