// Which pairs are in a forest.
#pragma once
#include <clusters/level.hpp>
#include <copse/views.hpp>
#include <core/radix_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <vector>

namespace copse::clusters {

class pair_set {
public:
  template <unsigned_index Id>
  pair_set(const pairs_of<Id>& pairs, unsigned threads, std::pmr::memory_resource* memory) : sorted_{memory} {
    sorted_.reserve(pairs.size());
    for (const auto& p : pairs) sorted_.push_back({p.u, p.v});
    radix_sort(std::span{sorted_}, &edge<std::uint64_t>::u, std::less<>{}, threads);
  }
  /// Precondition: u < v. O(log n).
  [[nodiscard]] bool has(std::uint64_t u, std::uint64_t v) const noexcept {
    return std::ranges::binary_search(sorted_, edge<std::uint64_t>{u, v});
  }

private:
  std::pmr::vector<edge<std::uint64_t>> sorted_;
};

}  // namespace copse::clusters
