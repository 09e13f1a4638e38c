// Counts components by size while they join, and gives the largest size and percentiles at any moment. Small sizes, which nearly all
// components have, are counted in an array, the others in a tree, as there are few different ones.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

namespace copse::weighted {

/// Returns the nearest rank of a percentile, from 1: at least `percent` of 100 items do not exceed the item of that rank.
[[nodiscard]] inline std::uint64_t nearest_rank(std::uint64_t items, unsigned percent) noexcept {
  return std::max<std::uint64_t>(items / 100 * percent + (items % 100 * percent + 99) / 100, 1);
}

class size_counts {
public:
  explicit size_counts(std::uint64_t vertices) : components_{vertices} { small_[1] = vertices; }

  /// Notes that components of sizes a and b became one.
  void join(std::uint64_t a, std::uint64_t b) {
    take(a);
    take(b);
    const std::uint64_t sum = a + b;
    sum < small_.size() ? ++small_[sum] : ++large_[sum];
    largest_ = std::max(largest_, sum);
    --components_;
  }

  [[nodiscard]] std::uint64_t singletons() const noexcept { return small_[1]; }
  [[nodiscard]] std::uint64_t largest() const noexcept { return components_ == 0 ? 0 : largest_; }
  /// Returns the smallest size that at least `percent` of 100 components do not exceed; 0 if there are no components.
  [[nodiscard]] std::uint64_t percentile(unsigned percent) const {
    if (components_ == 0) return 0;
    std::uint64_t left = nearest_rank(components_, percent);
    for (std::uint64_t size = 1; size < small_.size(); ++size) {
      if (small_[size] >= left) return size;
      left -= small_[size];
    }
    for (const auto& [size, count] : large_) {
      if (count >= left) return size;
      left -= count;
    }
    return largest_;
  }

private:
  void take(std::uint64_t size) {
    if (size < small_.size()) {
      --small_[size];
    } else if (const auto found = large_.find(size); --found->second == 0) {
      large_.erase(found);
    }
  }

  std::array<std::uint64_t, 256> small_{};
  std::map<std::uint64_t, std::uint64_t> large_;
  std::uint64_t components_, largest_ = 1;
};

}  // namespace copse::weighted
