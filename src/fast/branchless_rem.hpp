// Rem's algorithm with a swap at the root and halving, as the rule rem_cas does it, without a branch on which of two parents is larger: in
// a list in no order that is the toss of a coin at each step, and a wrong guess throws away the loads that were under way.
#pragma once
#include <copse/extend/rules/unite/no_link.hpp>
#include <fast/rules.hpp>

namespace copse::fast {

struct branchless_rem {
  template <class P, class OnLink = unite::no_link>
  void operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    auto above_u = parent_of(p, u), above_v = parent_of(p, v);
    while (above_u != above_v) {
      const bool less = above_u < above_v;
      const auto low = less ? u : v, high = less ? v : u;  // by their parents
      const auto above_low = less ? above_u : above_v, above_high = less ? above_v : above_u;
      v = low;
      above_v = above_low;
      if (high == above_high) {
        const auto swap = p.cas(high, p.link(high), p.link(above_low));
        if (swap.ok) return on_link(high, above_low);
        u = high;
        above_u = p.parent(swap.seen);
      } else {
        const auto next = parent_of(p, above_high);
        if (next != above_high) p.store(high, p.link(next));
        u = next;
        above_u = parent_of(p, next);
      }
    }
  }
};

/// f with the rule that unites edges of a list in no order, as a type.
template <class Backend, class F>
void with_list_rule(bool branchless, F f) {
  if constexpr (Backend::concurrent) {
    if (branchless) return f(branchless_rem{});
  }
  f(unite_of<Backend>{});
}

}  // namespace copse::fast
