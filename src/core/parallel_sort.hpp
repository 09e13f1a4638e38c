// Sorting in place by several threads: the range is partitioned around splitters from a sample, level by level, then each piece is
// sorted by itself. O(n log n) work; the first partition runs on one thread.
#pragma once
#include <core/parallel.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace copse {

template <class T, class Less>
void parallel_sort(std::span<T> all, Less less, unsigned threads) {
  constexpr std::size_t worth_sharing = std::size_t{1} << 14;
  constexpr std::size_t sampled_per_piece = 32;
  if (threads <= 1 || all.size() < worth_sharing) {
    std::sort(all.begin(), all.end(), less);
    return;
  }
  const std::size_t pieces = std::bit_ceil(std::size_t{4} * threads);
  std::vector<T> sample;
  for (std::size_t i = 0; i < pieces * sampled_per_piece; ++i) sample.push_back(all[i * all.size() / (pieces * sampled_per_piece)]);
  std::sort(sample.begin(), sample.end(), less);

  // bounds[k] is where piece k begins; level by level the middle of each known stretch becomes known.
  std::vector<std::size_t> bounds(pieces + 1);
  bounds[pieces] = all.size();
  for (std::size_t stretch = pieces; stretch > 1; stretch /= 2) {
    parallel_blocks(threads, pieces / stretch, 1, [&](std::size_t k, std::size_t) {
      const std::size_t left = k * stretch, middle = left + stretch / 2, right = left + stretch;
      const T& splitter = sample[middle * sampled_per_piece];
      const auto cut = std::partition(all.begin() + bounds[left], all.begin() + bounds[right],
                                      [&](const T& element) { return less(element, splitter); });
      bounds[middle] = static_cast<std::size_t>(cut - all.begin());
    });
  }
  parallel_blocks(threads, pieces, 1,
                  [&](std::size_t k, std::size_t) { std::sort(all.begin() + bounds[k], all.begin() + bounds[k + 1], less); });
}

}  // namespace copse
