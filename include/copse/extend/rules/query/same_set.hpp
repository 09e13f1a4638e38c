// SameSet (Jayanti and Tarjan 2016): are two vertices connected, asked while others unite? Find both roots; the same one: yes. If the first
// is a root still, then at the moment when the second was seen to be one both were, of two different trees: no. Otherwise another thread
// has linked it since: go on from both. Two plain finds would not do: the first root may be linked under the second before the second
// is found, and the no would be true at no moment.
// Linearizable where loads and links are in one order (parents/ordered.hpp) and no vertex ever leaves its tree (not splice_atomic).
// Lock-free: it goes round again only when another thread has linked a root.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <string_view>

namespace copse::query {

template <class Find>
struct same_set {
  static constexpr std::string_view name = "same_set";

  template <parent_array P>
  COPSE_HOST_DEVICE bool operator()(P p, typename P::id u, typename P::id v) const noexcept {
    for (;;) {
      u = Find{}(p, u);
      v = Find{}(p, v);
      if (u == v) return true;
      if (p.is_root(u, p.load(u))) return false;
    }
  }
};

}  // namespace copse::query
