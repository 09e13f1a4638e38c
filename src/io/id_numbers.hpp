// Which ids occur, and the number of each among them in ascending order. Two shapes with the same calls: a bitmap with a running count when
// ids are dense, hash tables when they are not.
#pragma once
#include <copse/memory.hpp>
#include <core/seeded_hash.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::io {

/// Ids 0 .. bound - 1; a bit each, and a count for every 512 of them.
class dense_numbers {
public:
  dense_numbers(std::uint64_t bound, unsigned threads, std::pmr::memory_resource* memory);

  /// From any thread.
  void mark(std::uint64_t id) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    const std::atomic_ref word{bits_[id / 64]};
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }
  /// After all are marked; how many there are.
  std::uint64_t count_all();
  /// Precondition: marked, counted.
  [[nodiscard]] std::uint64_t number(std::uint64_t id) const noexcept {
    std::uint64_t number = before_[id / 512];
    for (std::uint64_t word = id / 512 * 8; word < id / 64; ++word) number += std::popcount(bits_[word]);
    return number + std::popcount(bits_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1));
  }
  /// number() of all ids, in an array: faster where most are asked for. What it says of those that are not marked means nothing.
  [[nodiscard]] buffer<std::uint32_t> all(std::pmr::memory_resource* memory) const;
  /// All marked ids in ascending order.
  [[nodiscard]] buffer<std::uint64_t> ids(std::pmr::memory_resource* memory) const;

private:
  unsigned threads_;
  std::uint64_t count_ = 0;
  buffer<std::uint64_t> bits_;    // a multiple of 8 words
  buffer<std::uint64_t> before_;  // marked ids before each 512
};

/// A share of all ids, those of one hash class; one thread fills it. Open addressing, at most half full.
class id_table {
public:
  explicit id_table(std::pmr::memory_resource* memory);

  void insert(std::uint64_t id);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_ + (has_largest_ ? 1 : 0); }
  /// Appends the ids, in no order, at `to`; returns the end.
  std::uint64_t* list(std::uint64_t* to) const noexcept;
  /// `ids` are all ids of all tables in ascending order: from now on number() knows where each of its own stands there.
  void number_by(std::span<const std::uint64_t> ids);
  [[nodiscard]] std::uint64_t number(std::uint64_t id) const noexcept { return id == empty ? largest_number_ : numbers_[slot(id)]; }

private:
  static constexpr std::uint64_t empty = UINT64_MAX;  // is an id too, kept aside

  [[nodiscard]] std::size_t slot(std::uint64_t id) const noexcept {
    std::size_t at = (hash_(id) >> 8) & (ids_.size() - 1);
    while (ids_[at] != id && ids_[at] != empty) at = (at + 1) & (ids_.size() - 1);
    return at;
  }
  void grow();

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  buffer<std::uint64_t> ids_;
  buffer<std::uint64_t> numbers_;
  std::uint64_t size_ = 0;
  std::uint64_t largest_number_ = 0;
  bool has_largest_ = false;
};

}  // namespace copse::io
