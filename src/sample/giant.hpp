// The most frequent label after sampling: ask some random vertices and take the most frequent answer. A wrong guess is never wrong,
// only slow: whatever the giant is, vertices outside it visit all their arcs.
#pragma once
#include <copse/core/types.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace copse::sample {

/// The k-th of a sequence of well-mixed 64-bit numbers (SplitMix64's finalizer; Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t k) noexcept {
  std::uint64_t x = seed + (k + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Precondition: n > 0 and the trees are flat (p[v] is a root), or nearly so. O(samples log samples).
template <class P>
typename P::id most_frequent_label(P p, typename P::id n, unsigned samples, std::uint64_t seed) {
  using id = typename P::id;
  std::vector<id> seen(std::max(1u, samples));
  for (std::size_t k = 0; k < seen.size(); ++k) seen[k] = p.parent(p.load(static_cast<id>(mixed(seed, k) % n)));
  std::sort(seen.begin(), seen.end());
  auto best = seen.begin();
  std::ptrdiff_t best_count = 0;
  for (auto first = seen.begin(); first != seen.end();) {
    const auto last = std::upper_bound(first, seen.end(), *first);
    if (last - first > best_count) {
      best = first;
      best_count = last - first;
    }
    first = last;
  }
  return *best;
}

}  // namespace copse::sample
