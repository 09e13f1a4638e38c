// From vertices to their roots, up to 16 at once, so that the misses of many walks overlap: one walk alone waits for each of its steps.
#pragma once
#include <fast/rules.hpp>

#include <cstddef>
#include <span>

namespace copse::fast {

inline constexpr std::size_t walks_together = 16;

/// Each of `at` becomes the root of its tree. Returns the steps of the longest path.
template <class P>
unsigned walk_to_roots(P p, std::span<typename P::id> at) {
  for (unsigned steps = 0;; ++steps) {
    bool moved = false;
    for (auto& v : at) {
      const auto next = parent_of(p, v);
      moved |= next != v;
      v = next;
    }
    if (!moved) return steps;
  }
}

}  // namespace copse::fast
