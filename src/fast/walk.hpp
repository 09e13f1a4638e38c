// From vertices to their roots, up to 16 at once, so that the misses of many walks overlap: one walk alone waits for each of its steps.
#pragma once
#include <fast/rules.hpp>

#include <cstddef>
#include <span>

namespace copse::fast {

inline constexpr std::size_t walks_together = 16;

/// Each of `at` becomes the root of its tree.
template <class P>
void walk_to_roots(P p, std::span<typename P::id> at) {
  for (bool moved = true; moved;) {
    moved = false;
    for (auto& v : at) {
      const auto next = parent_of(p, v);
      moved |= next != v;
      v = next;
    }
  }
}

}  // namespace copse::fast
