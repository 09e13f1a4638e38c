// A find rule of our own, for custom_rule.cpp and for kernels.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

// Splits the path three steps ahead instead of two. Every word that it stores is an ancestor, which is what keeps a find rule right.
struct split_by_three {
  static constexpr std::string_view name = "split_by_three";
  template <copse::parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const {
    for (;;) {
      const auto parent = p.parent(p.load(v)), above = p.parent(p.load(parent));
      if (above == parent) return parent;
      p.store(v, p.link(p.parent(p.load(above))));
      v = parent;
    }
  }
};
