// A lower bound on what hook-based sampling would cover, at the cost of a thousand short walks: after its first step, a vertex's root is
// found by going from first neighbour to first neighbour while these get smaller, which needs no labels at all. The share of random
// vertices that end at the most frequent root is the coverage of that step.
#pragma once
#include <copse/views.hpp>
#include <core/most_frequent.hpp>
#include <core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::variant {

/// Between 0 and 1; 0 if there are no vertices. O(samples x length of the walks).
template <class Id, class Offset>
double hooked_share(csr_view<Id, Offset> g, std::uint64_t seed, std::size_t samples = 1024) {
  if (g.vertices() == 0) return 0;
  const random_stream random{seed, 4};
  std::vector<Id> roots(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    Id v = static_cast<Id>(random.below(k, g.vertices()));
    while (g.offsets[v] != g.offsets[std::size_t{v} + 1] && g.targets[g.offsets[v]] < v) v = g.targets[g.offsets[v]];
    roots[k] = v;
  }
  return static_cast<double>(most_frequent(std::span{roots}).votes) / static_cast<double>(samples);
}

}  // namespace copse::variant
