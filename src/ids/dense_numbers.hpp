// The set of ids that occur, for dense ids, with the number of each id in ascending order: a bitmap with a running count.
#pragma once
#include <copse/memory.hpp>

#include <atomic>
#include <bit>
#include <cstdint>

namespace copse::ids {

/// A set of ids in 0 .. bound - 1: one bit per id, and a count for every 512 of them.
class dense_numbers {
public:
  dense_numbers(std::uint64_t bound, unsigned threads, std::pmr::memory_resource* memory);

  /// Marks an id. May be called by any thread.
  void mark(std::uint64_t id) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    const std::atomic_ref word{bits_[id / 64]};
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }
  /// Counts the marked ids and returns their number. To be called after all ids are marked.
  std::uint64_t count_all();
  /// The number of an id. Precondition: it is marked, and count_all() was called.
  [[nodiscard]] std::uint64_t number(std::uint64_t id) const noexcept {
    std::uint64_t number = before_[id / 512];
    for (std::uint64_t word = id / 512 * 8; word < id / 64; ++word) number += std::popcount(bits_[word]);
    return number + std::popcount(bits_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1));
  }
  /// The numbers of all ids as an array indexed by id; elements of ids that are not marked have no meaning. Looking up many ids is faster
  /// in this array than with number().
  [[nodiscard]] buffer<std::uint32_t> all(std::pmr::memory_resource* memory) const;
  /// All marked ids in ascending order.
  [[nodiscard]] buffer<std::uint64_t> ids(std::pmr::memory_resource* memory) const;

private:
  unsigned threads_;
  std::uint64_t count_ = 0;
  buffer<std::uint64_t> bits_;    // padded to a multiple of 8 words
  buffer<std::uint64_t> before_;  // number of marked ids before each group of 512
};

}  // namespace copse::ids
