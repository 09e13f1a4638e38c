// Rem's splice across trees: swap x, with its subtree, under the other side's smaller parent before the roots are joined, and go on at x's
// old parent, whose tree must still be joined. The thread that moved x owes that join, so a failed swap goes on in the same way.
// Every load must be fresh: a stale parent need not be an ancestor here. While the swap is under way x is cut from its old tree, so no
// query may run at the same time, and no forest can be recorded. Parents must never grow at the same time: finds shorten paths by swaps
// (find/by_swap.hpp).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::splice {

struct splice_atomic {
  static constexpr std::string_view name = "splice_atomic";
  static constexpr bool moves_subtrees = true;

  /// Moves `x`, whose parent was just seen to be `parent` (no root), under `other` < `parent`. Returns where Rem goes on.
  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id x, typename P::id parent, typename P::id other) const noexcept {
    p.cas(x, p.link(parent), p.link(other));
    return parent;
  }
};

}  // namespace copse::splice
