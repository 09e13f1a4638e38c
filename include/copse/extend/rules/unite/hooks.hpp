// Union-Hooks (Dhulipala, Hong, Shun 2020): like async, but a thread wins the right to link a root by setting the root's flag, and then
// writes the parent by a plain store. Only the winner ever writes that root, so its parent needs no swap. A loser waits until it sees the
// winner's store, which makes the rule blocking (the paper calls it wait-free). Loads must be fresh, or the wait would not end.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>
#include <utility>

namespace copse::unite {

template <class Find>
struct hooks {
  static constexpr std::string_view name = "hooks";
  static constexpr std::string_view summary = "find both roots, claim a flag, then store (Union-Hooks)";
  static constexpr rule_traits traits{.fresh_loads = true, .aux = aux_array::flags};
  using find_rule = Find;

  /// P accesses parents and a flag per vertex, which is set by the only thread that may give this root a parent (basic_flagged in
  /// src/parents/aux_arrays.hpp).
  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    for (;;) {
      u = Find{}(p, u);
      v = Find{}(p, v);
      if (u == v) return u;
      if (u < v) std::swap(u, v);
      if (p.claim(u)) {
        p.store(u, p.link(v));
        on_link(u, v);
        return v;
      }
      while (p.is_root(u, p.load(u))) p.relax();
    }
  }
};

}  // namespace copse::unite
