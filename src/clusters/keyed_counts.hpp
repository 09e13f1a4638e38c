// Counts by (cluster, column, value): a hash table with open addressing and linear probing, at most half full. The entries of a cluster
// that joined another stay until the table grows.
#pragma once
#include <copse/types.hpp>
#include <core/seeded_hash.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace copse::clusters {

template <unsigned_index Id>
class keyed_counts {
public:
  struct key {
    Id cluster;
    std::uint32_t column;
    std::uint64_t value;
    friend bool operator==(const key&, const key&) = default;
  };

  /// Returns the count of a key; 0 if it has no entry.
  [[nodiscard]] std::uint64_t count(const key& wanted) const noexcept { return slots_.empty() ? 0 : slots_[place_of(wanted)].count; }

  /// Returns the count of a key, 0 if it is new; the caller must then make it positive, as a count of 0 marks a free slot of the table. The
  /// reference is valid until the next call. When the table grows, it keeps only keys for which is_live(key) is true.
  template <class IsLive>
  std::uint64_t& at(const key& wanted, IsLive is_live) {
    if (2 * (used_ + 1) > slots_.size()) grow(is_live);
    slot& found = slots_[place_of(wanted)];
    if (found.count == 0) {
      found.name = wanted;
      ++used_;
    }
    return found.count;
  }

  /// Removes all entries; a large table gives its memory back.
  void clear() {
    if (used_ == 0) return;
    used_ = 0;
    slots_.assign(slots_.size() > largest_kept ? 0 : slots_.size(), {});
    if (slots_.empty()) slots_.shrink_to_fit();
  }

private:
  static constexpr std::size_t smallest = 64, largest_kept = 1024;
  struct slot {
    key name{};
    std::uint64_t count = 0;
  };

  [[nodiscard]] std::size_t place_of(const key& wanted) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = hash_(hash_(wanted.value) ^ (std::uint64_t{wanted.cluster} * 0x9E3779B97F4A7C15u + wanted.column));
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    while (slots_[at].count != 0 && slots_[at].name != wanted) at = (at + 1) & mask;
    return at;
  }
  template <class IsLive>
  void grow(IsLive is_live) {
    std::vector<slot> old = std::move(slots_);
    std::erase_if(old, [&](const slot& s) { return s.count == 0 || !is_live(s.name); });
    std::size_t capacity = smallest;
    while (capacity < 4 * (old.size() + 1)) capacity *= 2;
    slots_.assign(capacity, {});
    used_ = old.size();
    for (const slot& s : old) slots_[place_of(s.name)] = s;
  }

  std::vector<slot> slots_;  ///< the size is a power of two, or 0
  std::size_t used_ = 0;
  seeded_hash hash_;
};

}  // namespace copse::clusters
