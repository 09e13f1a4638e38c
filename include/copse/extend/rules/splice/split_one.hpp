// A splice rule for Rem's algorithm that stays within its tree: sets the parent of x to its grandparent and continues at its old parent.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::splice {

struct split_one {
  static constexpr std::string_view name = "split_one";
  static constexpr bool moves_subtrees = false;

  /// One step of path splitting: makes the grandparent of `x` its parent. `parent`: the parent of x that was just seen (so x is no root).
  /// Returns `parent`, where Rem's algorithm continues.
  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id x, typename P::id parent, typename P::id /*other*/) const noexcept {
    const auto grandparent = p.parent(p.load(parent));
    if (grandparent != parent) p.store(x, p.link(grandparent));
    return parent;
  }
};

}  // namespace copse::splice
