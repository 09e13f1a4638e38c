// Sorts in place by 64-bit keys, the most significant byte first (American flag sort: McIlroy, Bostic and McIlroy, "Engineering radix
// sort", 1993): a range is divided into one part for each value of a byte, by moving elements straight to their parts along cycles; each
// part is divided by its next byte, until it is small enough for a comparison sort. Large ranges need no comparisons of elements.
//
// Cost: one pass per byte in which keys differ. Several threads take ranges as they become free; only the first range, and one whose keys
// hardly differ, are divided by one thread while the others wait.
#pragma once
#include <core/parallel.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse {

/// Removes the bits in which all keys agree, and moves the others up: the order stays the same, and each byte distinguishes more keys. For
/// keys that are decimal digits, half of all bits are removed.
template <class T>
void squeeze_keys(std::span<T> all, std::uint64_t T::*key, unsigned threads) {
  constexpr std::size_t block = std::size_t{1} << 16;
  std::atomic<std::uint64_t> different{0};
  parallel_blocks(threads, all.size(), block, [&](std::size_t begin, std::size_t end) {
    std::uint64_t here = 0;
    for (const T& element : all.subspan(begin, end - begin)) here |= element.*key ^ all.front().*key;
    different.fetch_or(here, std::memory_order_relaxed);
  });
  struct run {
    std::uint64_t bits = 0;
    int up = 0;
  };
  std::array<run, 32> runs;
  std::size_t count = 0;
  int kept = 0;
  for (std::uint64_t rest = different; rest != 0; ++count) {
    const int gap = std::countl_zero(rest);
    const int length = std::countl_one(rest << gap);
    runs[count] = {~std::uint64_t{0} << (64 - length) >> gap, gap - kept};
    rest &= ~runs[count].bits;
    kept += length;
  }
  if (count == 0 || (count == 1 && runs[0].up == 0)) return;  // the bits in which keys differ are already the topmost ones
  parallel_blocks(threads, all.size(), block, [&](std::size_t begin, std::size_t end) {
    for (T& element : all.subspan(begin, end - begin)) {
      std::uint64_t squeezed = 0;
      for (std::size_t k = 0; k < count; ++k) squeezed |= (element.*key & runs[k].bits) << runs[k].up;
      element.*key = squeezed;
    }
  });
}

/// A range of elements whose keys agree in the upper bytes.
template <class T>
struct radix_stretch {
  std::span<T> elements;
  unsigned shift;  ///< lowest bit of the byte to sort by
};

/// Divides a range by the next byte of its keys, and calls further(range) for each part that needs more work. A byte in which all keys
/// agree is skipped.
template <class T, class Less, class Further>
void cut_stretch(radix_stretch<T> from, std::uint64_t T::*key, Less less, Further further) {
  constexpr std::size_t worth_cutting = 192;
  const auto all = from.elements;
  const auto byte_of = [key](const T& element, unsigned shift) { return static_cast<std::uint8_t>(element.*key >> shift); };
  for (unsigned shift = from.shift;; shift -= 8) {
    if (all.size() < worth_cutting) break;
    std::array<std::size_t, 257> ends{};  // ends[b]: first the count of byte b - 1, then the beginning of part b, finally its end
    for (const T& element : all) ++ends[byte_of(element, shift) + 1u];
    if (*std::max_element(ends.begin(), ends.end()) != all.size()) {
      std::array<std::size_t, 257> begins;
      for (unsigned b = 1; b <= 256; ++b) ends[b] += ends[b - 1];
      begins = ends;
      for (unsigned b = 0; b < 256; ++b) {
        while (ends[b] < begins[b + 1]) {
          T moving = all[ends[b]];
          for (unsigned goal = byte_of(moving, shift); goal != b; goal = byte_of(moving, shift)) std::swap(moving, all[ends[goal]++]);
          all[ends[b]++] = moving;
        }
      }
      for (unsigned b = 0; b < 256; ++b) {
        const auto part = all.subspan(begins[b], begins[b + 1] - begins[b]);
        if (part.size() < 2) continue;
        if (shift == 0 || part.size() < worth_cutting) {
          std::sort(part.begin(), part.end(), less);
        } else {
          further(radix_stretch<T>{part, shift - 8});
        }
      }
      return;
    }
    if (shift == 0) break;
  }
  std::sort(all.begin(), all.end(), less);
}

/// Sorts `all` in place. `less` must order elements by `key` first.
template <class T, class Less>
void radix_sort(std::span<T> all, std::uint64_t T::*key, Less less, unsigned threads) {
  constexpr unsigned highest = 56;
  const auto alone = [key, less](radix_stretch<T> stretch) {
    const auto descend = [key, less](auto self, radix_stretch<T> part) -> void {
      cut_stretch(part, key, less, [&](radix_stretch<T> further) { self(self, further); });
    };
    descend(descend, stretch);
  };
  std::vector<radix_stretch<T>> open{{all, highest}};
  if (threads > 1) {
    // Large ranges are divided concurrently until all ranges are small enough that none keeps one thread busy for long.
    const std::size_t large = std::max<std::size_t>(all.size() / (std::size_t{8} * threads), std::size_t{1} << 13);
    std::vector<radix_stretch<T>> ready;
    while (!open.empty()) {
      const auto first_small = std::partition(open.begin(), open.end(), [large](const auto& s) { return s.elements.size() > large; });
      ready.insert(ready.end(), first_small, open.end());
      open.erase(first_small, open.end());
      std::vector<std::vector<radix_stretch<T>>> cut(open.size());
      parallel_blocks(threads, open.size(), 1, [&](std::size_t i, std::size_t) {
        cut_stretch(open[i], key, less, [&](radix_stretch<T> further) { cut[i].push_back(further); });
      });
      open.clear();
      for (const auto& parts : cut) open.insert(open.end(), parts.begin(), parts.end());
    }
    open = std::move(ready);
  }
  parallel_blocks(threads, open.size(), 1, [&](std::size_t i, std::size_t) { alone(open[i]); });
}

}  // namespace copse
