// A splice rule for Rem's algorithm that moves vertices across trees: before the roots are joined, it swaps x, with its subtree, under the
// other side's smaller parent. It continues at x's old parent, whose tree must still be joined. The thread that moved x must complete that
// join, so it continues in the same way after a failed swap. Every load must be fresh, because with this rule a stale parent need not be an
// ancestor. Until the join is complete x is cut from its old tree, so no query may run at the same time, and no forest can be recorded. A
// parent must never be replaced by a larger one, so finds must shorten paths by swaps (find/by_swap.hpp).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::splice {

struct splice_atomic {
  static constexpr std::string_view name = "splice_atomic";
  static constexpr bool moves_subtrees = true;

  /// Moves `x`, whose parent was just seen to be `parent` (so x is no root), under `other` < `parent`. Returns the vertex where Rem's
  /// algorithm continues.
  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id x, typename P::id parent, typename P::id other) const noexcept {
    p.cas(x, p.link(parent), p.link(other));
    return parent;
  }
};

}  // namespace copse::splice
