// Afforest's link (Sutton, Ben-Nun, Barak 2018): hooks the larger of the two parents under the smaller. If the larger was no root, it
// climbs two steps on this side and one on the other, and repeats. There is no find: a compress pass over all vertices follows.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>

namespace copse::unite {

struct afforest {
  static constexpr std::string_view name = "afforest";
  static constexpr std::string_view summary = "hook parents without any find, compress between passes (Afforest)";
  static constexpr rule_traits traits{};

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    auto x = p.parent(p.load(u)), y = p.parent(p.load(v));
    while (x != y) {
      const auto high = x < y ? y : x, low = x < y ? x : y;
      auto above = p.parent(p.load(high));
      if (above == low) return low;
      if (above == high) {
        const auto swap = p.cas(high, p.link(high), p.link(low));
        if (swap.ok) {
          on_link(high, low);
          return low;
        }
        above = p.parent(swap.seen);
      }
      x = p.parent(p.load(above));
      y = p.parent(p.load(low));
    }
    return x;
  }
};

}  // namespace copse::unite
