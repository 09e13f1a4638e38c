// A splice rule for Rem's algorithm that stays within its tree: sets the parent of x to its grandparent and continues there.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::splice {

struct halve_one {
  static constexpr std::string_view name = "halve_one";
  static constexpr bool moves_subtrees = false;

  /// One step of path halving: makes the grandparent of `x` its parent. `parent`: the parent of x that was just seen (so x is no root).
  /// Returns the grandparent, where Rem's algorithm continues.
  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id x, typename P::id parent, typename P::id /*other*/) const noexcept {
    const auto grandparent = p.parent(p.load(parent));
    if (grandparent != parent) p.store(x, p.link(grandparent));
    return grandparent;
  }
};

}  // namespace copse::splice
