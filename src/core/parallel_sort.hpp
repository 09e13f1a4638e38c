// A sort by comparisons on all threads: equal pieces are sorted, and then merged in pairs. Each pair is merged by as many threads as
// it has pieces, which divide the first half of the pair evenly and the second half at the same elements.
//
// Cost: O(n log n) comparisons over all threads; a copy of all elements while it runs.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>

namespace copse {

/// Sorts elements that can be copied bytewise. `less` is called by several threads.
template <class T, class Less>
void parallel_sort(std::span<T> all, Less less, unsigned threads) {
  constexpr std::size_t worth_a_piece = 2048;
  const std::size_t pieces = std::min<std::size_t>(std::bit_ceil(threads), std::bit_floor(all.size() / worth_a_piece));
  if (threads <= 1 || pieces <= 1) return std::sort(all.begin(), all.end(), less);
  const auto begin_of = [&](std::size_t piece) { return all.size() * piece / pieces; };
  parallel_blocks(threads, pieces, 1,
                  [&](std::size_t piece, std::size_t next) { std::sort(all.data() + begin_of(piece), all.data() + begin_of(next), less); });
  buffer<T> other{all.size()};
  T *from = all.data(), *to = other.data();
  for (std::size_t width = 1; width < pieces; width *= 2, std::swap(from, to)) {
    parallel_blocks(threads, pieces, 1, [&](std::size_t piece, std::size_t) {
      const std::size_t k = piece % (2 * width), pair = piece - k;
      T *const first = from + begin_of(pair), *const second = from + begin_of(pair + width), *const end = from + begin_of(pair + 2 * width);
      const auto cut = [&](std::size_t at) {  // where the part `at` of the pair begins in both halves
        T* const in_first = first + static_cast<std::size_t>(second - first) * at / (2 * width);
        T* const in_second = at == 0 ? second : at == 2 * width ? end : std::lower_bound(second, end, *in_first, less);
        return std::pair{in_first, in_second};
      };
      const auto [a, b] = cut(k);
      const auto [a_end, b_end] = cut(k + 1);
      std::merge(a, a_end, b, b_end, to + (a - from) + (b - second), less);
    });
  }
  if (from != all.data()) std::copy(from, from + all.size(), all.data());
}

}  // namespace copse
