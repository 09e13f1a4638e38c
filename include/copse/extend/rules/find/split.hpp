// Path splitting: every vertex on the path gets its grandparent as parent, and the walk continues at its old parent.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::find {

struct split {
  static constexpr std::string_view name = "split";

  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    for (;;) {
      const auto parent = p.parent(p.load(v));
      const auto above = p.load(parent);
      if (p.is_root(parent, above)) return parent;
      p.store(v, p.link(p.parent(above)));
      v = parent;
    }
  }
};

}  // namespace copse::find
