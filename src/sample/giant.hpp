// Finds the most frequent label after sampling, by the labels of random vertices. A wrong guess costs time, but never gives a wrong answer:
// whatever the giant is, vertices outside it visit all their arcs.
#pragma once
#include <core/most_frequent.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::sample {

/// Returns the most frequent label of `samples` random vertices. Precondition: n > 0 and the trees are flat, so that `label(v)` is v's
/// root. O(samples log samples).
template <class Id, class Label>
Id most_frequent_label(Id n, Label label, unsigned samples, std::uint64_t seed) {
  const random_stream random{seed, 0};
  std::vector<Id> seen(std::max(1u, samples));
  for (std::size_t k = 0; k < seen.size(); ++k) seen[k] = label(static_cast<Id>(random.below(k, n)));
  return most_frequent(std::span{seen}).winner;
}

/// Returns the most frequent label of some vertices, sampled on the device that has the trees.
template <class Trees, class Backend>
auto giant_of(Trees& trees, [[maybe_unused]] const Backend& loops, unsigned samples, std::uint64_t seed) {
  if constexpr (Backend::on_device) {
    return trees.most_frequent_label(loops, samples, seed);
  } else {
    return most_frequent_label(
        trees.vertices(), [&](auto v) { return trees.parent(v); }, samples, seed);
  }
}

}  // namespace copse::sample
