// The set of the pairs in a forest.
#pragma once
#include <clusters/scored_pair.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/parallel_buffers.hpp>
#include <core/radix_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>

namespace copse::clusters {

class pair_set {
public:
  template <unsigned_index Id>
  pair_set(std::span<const scored_pair<Id>> pairs, unsigned threads, std::pmr::memory_resource* memory)
      : sorted_{made<edge<std::uint64_t>>(
            pairs.size(),
            [&](std::size_t i) {
              return edge<std::uint64_t>{pairs[i].u, pairs[i].v};
            },
            threads, memory)} {
    radix_sort(sorted_.span(), &edge<std::uint64_t>::u, std::less<>{}, threads);
  }
  /// True if the set has the pair (u, v). Precondition: u < v. O(log n).
  [[nodiscard]] bool has(std::uint64_t u, std::uint64_t v) const noexcept {
    return std::ranges::binary_search(sorted_.span(), edge<std::uint64_t>{u, v});
  }

private:
  buffer<edge<std::uint64_t>> sorted_;
};

}  // namespace copse::clusters
