// Union-Async (Jayanti and Tarjan 2016, linking by index): finds both roots and swaps the larger root's parent for the smaller root. If
// another thread has linked the larger root first, it finds again from the parent that the swap returned. Lock-free; expected O(log n)
// steps per call with a compressing find.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>
#include <utility>

namespace copse::unite {

/// unite(p, u, v) joins the trees of u and v, and returns a vertex of the joined tree, which may take the place of u in the next call.
template <class Find>
struct async {
  static constexpr std::string_view name = "async";
  static constexpr std::string_view summary = "find both roots, swap the larger under the smaller (Union-Async)";
  static constexpr rule_traits traits{};
  using find_rule = Find;

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    for (;;) {
      u = Find{}(p, u);
      v = Find{}(p, v);
      if (u == v) return u;
      if (u < v) std::swap(u, v);
      const auto swap = p.cas(u, p.link(u), p.link(v));
      if (swap.ok) {
        on_link(u, v);
        return v;
      }
      u = p.parent(swap.seen);
    }
  }
};

}  // namespace copse::unite
