// Memory for sets of neighbours.
//
// Blocks are parts of large pieces. Free blocks of one size are a linked list. If there is none of the size that is asked for, a larger one
// is split. If there is no larger one either, there are more pieces; but once in a while, after an eighth of all units came from blocks
// that were split, adjacent free blocks are merged instead. Workers that run at the same time have lists of their own (share).
//
// Cost: O(1) amortised.
#pragma once
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace copse::dynamics {

inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// Blocks of 16-byte units, addressed by the number of their first unit: of 1 to 4 units, or of a larger power of two.
class block_pool {
  static constexpr unsigned piece_bits = 16, kinds = 32, word_bits = 64;
  static constexpr std::uint32_t piece_units = 1u << piece_bits, units_at_once = 64;

  /// The first free block of each size; each leads to the next.
  struct alignas(64) free_lists {
    free_lists() noexcept { first.fill(none); }
    std::array<std::uint32_t, kinds> first;
  };

public:
  explicit block_pool(std::pmr::memory_resource* memory) : memory_{memory}, pieces_{memory}, allocations_{memory} {}
  block_pool(const block_pool&) = delete;
  ~block_pool() {
    for (const auto& [at, bytes] : allocations_) memory_->deallocate(at, bytes, 64);
  }

  /// The blocks that one worker may allocate, and those that it frees. Workers that run at the same time use their own shares only. A share
  /// keeps its free blocks when its worker has ended, so that a later worker finds them without a lock.
  class share {
  public:
    explicit share(block_pool& pool) noexcept : pool_{&pool} {}

    [[nodiscard]] std::uint32_t allocate(std::uint32_t units) {
      const unsigned kind = kind_of(units);
      if (free_.first[kind] == none) {
        const std::lock_guard lock{pool_->shared_};
        for (std::uint32_t taken = 0; taken < units_at_once; taken += units) free(pool_->allocate_own(units), units);
      }
      return pool_->take(free_, kind);
    }
    void free(std::uint32_t block, std::uint32_t units) noexcept {
      const unsigned kind = kind_of(units);
      if (free_.first[kind] == none) last_[kind] = block;
      pool_->put(free_, kind, block);
    }

  private:
    friend block_pool;

    block_pool* pool_;
    free_lists free_;
    std::array<std::uint32_t, kinds> last_{};  // the last block of each list that is not empty
  };
  /// Returns the shares of this many workers, which are valid until the next call of the pool's other functions.
  [[nodiscard]] std::span<share> shares(unsigned workers) {
    // Workers read the list of pieces without a lock, so it gets its largest capacity here, and is not reallocated while they run.
    pieces_.reserve(std::size_t{1} << (32 - piece_bits));
    while (shares_.size() < workers) shares_.emplace_back(*this);
    shares_have_blocks_ = true;
    return std::span{shares_}.first(workers);
  }

  [[nodiscard]] std::uint32_t* at(std::uint32_t unit) const noexcept {
    return pieces_[unit >> piece_bits] + (unit & (piece_units - 1)) * std::size_t{4};
  }
  [[nodiscard]] std::uint32_t allocate(std::uint32_t units) {
    if (free_.first[kind_of(units)] == none) take_from_shares();
    return allocate_own(units);
  }
  void free(std::uint32_t block, std::uint32_t units) noexcept { put(free_, kind_of(units), block); }
  /// Returns the first of `units` adjacent units, which the caller divides into blocks.
  [[nodiscard]] std::uint32_t allocate_adjacent(std::uint64_t units) {
    const std::size_t pieces = pieces_for(units);
    const std::uint32_t first = add(pieces);
    put_all(first + static_cast<std::uint32_t>(units), static_cast<std::uint32_t>((pieces << piece_bits) - units));
    return first;
  }

private:
  static unsigned kind_of(std::uint32_t units) noexcept { return units <= 4 ? units - 1 : static_cast<unsigned>(std::bit_width(units)); }
  static std::uint32_t units_of(unsigned kind) noexcept { return kind < 4 ? kind + 1 : 1u << (kind - 1); }

  std::uint32_t take(free_lists& from, unsigned kind) const noexcept {
    const std::uint32_t block = from.first[kind], next = *at(block);
    if (next != none) __builtin_prefetch(at(next));
    from.first[kind] = next;
    return block;
  }
  void put(free_lists& to, unsigned kind, std::uint32_t block) const noexcept { *at(block) = std::exchange(to.first[kind], block); }
  // Allocates a block without those that are free in shares.
  [[nodiscard]] std::uint32_t allocate_own(std::uint32_t units) {
    const unsigned kind = kind_of(units);
    return free_.first[kind] != none ? take(free_, kind) : split(units);
  }
  // Takes the free blocks out of all shares. Precondition: no worker uses them.
  void take_from_shares() noexcept {
    if (!std::exchange(shares_have_blocks_, false)) return;
    for (share& its : shares_) {
      for (unsigned kind = 0; kind < kinds; ++kind) {
        if (its.free_.first[kind] == none) continue;
        *at(its.last_[kind]) = std::exchange(free_.first[kind], std::exchange(its.free_.first[kind], none));
      }
    }
  }
  // Takes a block out of the smallest one that is larger.
  [[nodiscard]] std::uint32_t split(std::uint32_t units) {
    for (;;) {
      for (unsigned kind = kind_of(units); kind < kinds; ++kind) {
        if (free_.first[kind] == none) continue;
        const std::uint32_t block = take(free_, kind);
        put_all(block + units, units_of(kind) - units);
        split_since_ += units;
        return block;
      }
      if (split_since_ > pieces_.size() * std::size_t{piece_units} / 8) {
        merge();
      } else {
        grow(units);
      }
    }
  }
  // Makes blocks of free units, the smaller ones first.
  void put_all(std::uint32_t first, std::uint32_t units) noexcept {
    while (units != 0) {
      const std::uint32_t least = units & -units, here = std::max(least, std::min(units, 3u));
      free(first, here);
      first += here;
      units -= here;
    }
  }
  // Puts the blocks that adjacent free units can make in the place of those in the lists.
  void merge() {
    std::pmr::vector<std::uint64_t> is_free{pieces_.size() * piece_units / word_bits, memory_};  // a bit for each unit
    std::size_t lists = 0;
    std::array<unsigned, kinds> open;  // the kinds whose lists have blocks left; the first `lists` elements
    for (unsigned kind = 0; kind < kinds; ++kind)
      if (free_.first[kind] != none) open[lists++] = kind;
    // All lists are followed in turn, so that the processor waits for the next blocks of several at once.
    for (std::size_t i = 0; lists != 0; i = i + 1 < lists ? i + 1 : 0) {
      const unsigned kind = open[i];
      const std::uint32_t block = take(free_, kind);
      for (std::uint32_t unit = block; unit < block + units_of(kind); ++unit)
        is_free[unit / word_bits] |= std::uint64_t{1} << unit % word_bits;
      if (free_.first[kind] == none) open[i] = open[--lists];
    }
    split_since_ = 0;
    std::uint32_t begin = 0;  // free units from here to where the scan is
    const auto end_run = [&](std::uint32_t end) {
      if (end != begin) put_all(begin, end - begin);
    };
    for (std::uint32_t i = 0; i < is_free.size(); ++i) {
      const std::uint32_t first = i * word_bits;
      if (first % piece_units == 0 && first != 0 && at(first) != at(first - piece_units) + std::size_t{piece_units} * 4) {
        end_run(first);  // the pieces are not adjacent in memory
        begin = first;
      }
      for (std::uint64_t used = ~is_free[i]; used != 0; used &= used - 1) {
        const std::uint32_t unit = first + static_cast<std::uint32_t>(std::countr_zero(used));
        end_run(unit);
        begin = unit + 1;
      }
    }
    end_run(static_cast<std::uint32_t>(is_free.size() * word_bits));
  }
  void grow(std::uint32_t units) {
    // Pieces are allocated several at a time, as allocations of 4 MiB and more are in huge pages.
    const std::size_t most = pieces_.size() < 4 ? 1 : std::max<std::size_t>(4, pieces_.size() / 8);
    const std::size_t pieces = std::max(pieces_for(units), most);
    put_all(add(pieces), static_cast<std::uint32_t>(pieces << piece_bits));
  }
  static std::size_t pieces_for(std::uint64_t units) noexcept { return (units + piece_units - 1) / piece_units; }
  // Makes adjacent pieces, and returns their first unit.
  [[nodiscard]] std::uint32_t add(std::size_t pieces) {
    if (pieces_.size() + pieces >= (std::size_t{1} << (32 - piece_bits)))
      throw resource_error{"the edges of a dynamic graph cannot take more than 64 GiB"};
    pieces_.reserve(pieces_.size() + pieces);
    allocations_.reserve(allocations_.size() + 1);
    const std::size_t bytes = pieces * piece_units * 16;
    auto* const memory = static_cast<std::uint32_t*>(memory_->allocate(bytes, 64));
    allocations_.emplace_back(memory, bytes);
    const auto first = static_cast<std::uint32_t>(pieces_.size() << piece_bits);
    for (std::size_t i = 0; i < pieces; ++i) pieces_.push_back(memory + i * piece_units * 4);
    return first;
  }

  std::pmr::memory_resource* memory_;
  std::pmr::vector<std::uint32_t*> pieces_;
  std::pmr::vector<std::pair<void*, std::size_t>> allocations_;
  free_lists free_;
  std::vector<share> shares_;
  bool shares_have_blocks_ = false;  // whether a share may have free blocks
  std::size_t split_since_ = 0;      // the units of blocks that were made by split() since the last merge()
  std::mutex shared_;
};

}  // namespace copse::dynamics
