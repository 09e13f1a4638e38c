// ECL-CC's hooking (Jaiganesh and Burtscher 2018): finds the representatives of both ends and swaps the larger under the smaller; a failed
// swap continues from the value it returned, without a new find. Find is `representative` in the original; the other finds are variants of
// the GConn paper.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>
#include <utility>

namespace copse::unite {

template <class Find>
struct ecl {
  static constexpr std::string_view name = "ecl";
  static constexpr std::string_view summary = "representatives with pointer jumping, then a swap on the larger (ECL-CC)";
  static constexpr rule_traits traits{};
  using find_rule = Find;

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    auto x = Find{}(p, u), y = Find{}(p, v);
    while (x != y) {
      if (x < y) std::swap(x, y);
      const auto swap = p.cas(x, p.link(x), p.link(y));
      if (swap.ok) {
        on_link(x, y);
        return y;
      }
      x = p.parent(swap.seen);
    }
    return x;
  }
};

}  // namespace copse::unite
