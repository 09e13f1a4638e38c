// Buffers that are filled by many threads: with one value, with the results of a function, or with the results for selected indices.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <numeric>
#include <vector>

namespace copse {

inline constexpr std::size_t items_per_block = std::size_t{1} << 15;

/// Returns a buffer of make(i) for each i below `count`.
template <class T, class Make>
buffer<T> made(std::size_t count, Make make, unsigned threads, std::pmr::memory_resource* memory) {
  buffer<T> all{count, memory};
  parallel_blocks(threads, count, items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) all[i] = make(i);
  });
  return all;
}
template <class T>
buffer<T> filled(std::size_t count, T value, unsigned threads, std::pmr::memory_resource* memory) {
  return made<T>(
      count, [value](std::size_t) { return value; }, threads, memory);
}

/// Returns a buffer of make(i), in ascending order of i, for those i below `count` for which is_wanted(i) is true. Both functions are
/// called by several threads, is_wanted(i) twice for each i.
template <class T, class IsWanted, class Make>
buffer<T> selected(std::size_t count, IsWanted is_wanted, Make make, unsigned threads, std::pmr::memory_resource* memory) {
  std::vector<std::size_t> before(count / items_per_block + 2);
  parallel_blocks(threads, count, items_per_block, [&](std::size_t begin, std::size_t end) {
    std::size_t here = 0;
    for (std::size_t i = begin; i < end; ++i) here += is_wanted(i) ? 1 : 0;
    before[begin / items_per_block + 1] = here;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  buffer<T> all{before.back(), memory};
  parallel_blocks(threads, count, items_per_block, [&](std::size_t begin, std::size_t end) {
    std::size_t next = before[begin / items_per_block];
    for (std::size_t i = begin; i < end; ++i) {
      if (is_wanted(i)) all[next++] = make(i);
    }
  });
  return all;
}

}  // namespace copse
