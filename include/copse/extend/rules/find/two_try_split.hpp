// Two-try splitting (Jayanti, Tarjan, Boix-Adsera 2019): path splitting that writes by compare-and-swap and tries twice on each vertex
// before the walk continues. Their bound needs the second try, because the first fails if another thread has just split the same vertex.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::find {

struct two_try_split {
  static constexpr std::string_view name = "two_try_split";

  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    for (;;) {
      typename P::id parent{};
      for (int attempt = 0; attempt < 2; ++attempt) {
        const auto word = p.load(v);
        if (p.is_root(v, word)) return v;
        parent = p.parent(word);
        const auto above = p.load(parent);
        if (p.is_root(parent, above)) return parent;
        p.cas(v, word, p.link(p.parent(above)));
      }
      v = parent;
    }
  }
};

}  // namespace copse::find
