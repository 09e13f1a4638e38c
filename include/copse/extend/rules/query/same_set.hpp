// SameSet (Jayanti and Tarjan 2016): tells whether two vertices are connected while other threads unite. It finds both roots; if they are
// equal, the answer is yes. If the first is still a root, then both were roots of different trees at the moment when the second was found,
// so the answer is no. Otherwise another thread has linked the first root since, and the search continues from both. Comparing two plain
// finds would be wrong: the first root may be linked under the second before the second is found, and then "no" was true at no moment.
// Linearizable if loads and links have a single total order (src/parents/ordered.hpp) and no vertex ever leaves its tree (not with
// splice_atomic). Lock-free: the search repeats only when another thread has linked a root.
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
