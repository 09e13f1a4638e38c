// Parallel exclusive prefix sums: blocks are summed, their sums are scanned, and then each block is scanned from its own start.
#pragma once
#include "core/parallel.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse {

/// Replaces values[i] by the sum of values[0 .. i), and returns the sum of all values.
template <class T>
T exclusive_scan(std::span<T> values, unsigned threads) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const auto scan_from = [&](std::size_t begin, std::size_t end, T sum) {
    for (std::size_t i = begin; i < end; ++i) {
      const T value = values[i];
      values[i] = sum;
      sum = static_cast<T>(sum + value);
    }
    return sum;
  };
  if (threads <= 1 || values.size() <= block) return scan_from(0, values.size(), 0);
  std::vector<T> starts((values.size() + block - 1) / block);
  parallel_blocks(threads, values.size(), block, [&](std::size_t begin, std::size_t end) {
    T sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum = static_cast<T>(sum + values[i]);
    starts[begin / block] = sum;
  });
  T total = 0;
  for (T& start : starts) {
    const T sum = start;
    start = total;
    total = static_cast<T>(total + sum);
  }
  parallel_blocks(threads, values.size(), block, [&](std::size_t begin, std::size_t end) { scan_from(begin, end, starts[begin / block]); });
  return total;
}

}  // namespace copse
