// Path halving: every second vertex on the path gets its grandparent as parent, and the walk continues at the grandparent.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::find {

struct halve {
  static constexpr std::string_view name = "halve";

  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    for (;;) {
      const auto parent = p.parent(p.load(v));
      const auto above = p.load(parent);
      if (p.is_root(parent, above)) return parent;
      const auto grandparent = p.parent(above);
      p.store(v, p.link(grandparent));
      v = grandparent;
    }
  }
};

}  // namespace copse::find
