// Walk to the root and change nothing. O(depth) loads.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::find {

struct naive {
  static constexpr std::string_view name = "naive";

  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    for (;;) {
      const auto word = p.load(v);
      if (p.is_root(v, word)) return v;
      v = p.parent(word);
    }
  }
};

}  // namespace copse::find
