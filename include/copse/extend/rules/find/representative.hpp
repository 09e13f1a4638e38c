// ECL-CC's find (Jaiganesh, thesis section 4.2): intermediate pointer jumping. While the path descends, the parent of each vertex passed is
// set to its grandparent. Plain stores suffice, because each stored parent is an ancestor.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::find {

struct representative {
  static constexpr std::string_view name = "representative";

  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    auto current = p.parent(p.load(v));
    if (current == v) return v;
    for (auto previous = v;;) {
      const auto next = p.parent(p.load(current));
      if (next >= current) return current;
      p.store(previous, p.link(next));
      previous = current;
      current = next;
    }
  }
};

}  // namespace copse::find
