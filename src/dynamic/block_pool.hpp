// Memory for sets of neighbours.
//
// Blocks are parts of large pieces. Freed blocks of one size are a linked list.
#pragma once
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <utility>
#include <vector>

namespace copse::dynamics {

inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// Blocks of 16-byte units, addressed by the number of their first unit. Freed blocks are reused for blocks of the same size.
class block_pool {
  static constexpr unsigned piece_bits = 16, kinds = 32;
  static constexpr std::uint32_t piece_units = 1u << piece_bits, units_at_once = 64;

public:
  explicit block_pool(std::pmr::memory_resource* memory) : memory_{memory}, pieces_{memory}, allocations_{memory}, free_{memory} {}
  block_pool(const block_pool&) = delete;
  ~block_pool() {
    for (const auto& [at, bytes] : allocations_) memory_->deallocate(at, bytes, 64);
  }

  /// The free blocks of one worker, for as long as it lives. Workers that run at the same time allocate and free blocks through their
  /// shares only.
  class share {
  public:
    explicit share(block_pool& pool) noexcept : pool_{pool} {}
    share(const share&) = delete;
    ~share() {
      const std::lock_guard lock{pool_.shared_};
      for (unsigned kind = 0; kind < kinds; ++kind) {
        const auto& [first, last] = free_[kind];
        if (first == none) continue;
        *pool_.at(last) = pool_.free_[kind];
        pool_.free_[kind] = first;
      }
    }
    [[nodiscard]] std::uint32_t allocate(unsigned kind, std::uint32_t units) {
      if (free_[kind].first == none) {
        const std::lock_guard lock{pool_.shared_};
        for (std::uint32_t taken = 0; taken < units_at_once; taken += units) free(kind, pool_.allocate(kind, units));
      }
      const std::uint32_t block = free_[kind].first;
      free_[kind].first = *pool_.at(block);
      return block;
    }
    void free(unsigned kind, std::uint32_t block) noexcept {
      auto& [first, last] = free_[kind];
      *pool_.at(block) = first;
      if (first == none) last = block;
      first = block;
    }

  private:
    struct list {
      std::uint32_t first = none, last = none;
    };
    block_pool& pool_;
    std::array<list, kinds> free_;
  };
  /// Must be called before workers take shares: workers read the list of pieces without a lock, so it gets its largest capacity here, and
  /// is not reallocated while they run.
  void prepare_shares() {
    pieces_.reserve(std::size_t{1} << (32 - piece_bits));
    free_.resize(kinds, none);
  }

  [[nodiscard]] std::uint32_t* at(std::uint32_t unit) const noexcept {
    return pieces_[unit >> piece_bits] + (unit & (piece_units - 1)) * std::size_t{4};
  }
  /// Allocates a block. `kind`, below 32, stands for a size: calls with equal `kind` must have equal `units`.
  [[nodiscard]] std::uint32_t allocate(unsigned kind, std::uint32_t units) {
    if (kind < free_.size() && free_[kind] != none) {
      const std::uint32_t block = free_[kind];
      free_[kind] = *at(block);
      return block;
    }
    if (kind >= free_.size()) free_.resize(kind + 1, none);
    if (units > end_ - next_) grow(units);
    return std::exchange(next_, next_ + units);
  }
  void free(unsigned kind, std::uint32_t block) noexcept {
    *at(block) = free_[kind];
    free_[kind] = block;
  }

private:
  void grow(std::uint32_t units) {
    // Pieces are allocated several at a time, as allocations of 4 MiB and more are in huge pages.
    const std::size_t most = pieces_.size() < 4 ? 1 : std::max<std::size_t>(4, pieces_.size() / 4);
    const std::size_t pieces = std::max((units + std::size_t{piece_units} - 1) / piece_units, most);
    if (pieces_.size() + pieces >= (std::size_t{1} << (32 - piece_bits)))
      throw resource_error{"the edges of a dynamic graph cannot take more than 64 GiB"};
    pieces_.reserve(pieces_.size() + pieces);
    allocations_.reserve(allocations_.size() + 1);
    const std::size_t bytes = pieces * piece_units * 16;
    auto* const memory = static_cast<std::uint32_t*>(memory_->allocate(bytes, 64));
    allocations_.emplace_back(memory, bytes);
    next_ = static_cast<std::uint32_t>(pieces_.size() << piece_bits);
    for (std::size_t i = 0; i < pieces; ++i) pieces_.push_back(memory + i * piece_units * 4);
    end_ = static_cast<std::uint32_t>(pieces_.size() << piece_bits);
  }

  std::pmr::memory_resource* memory_;
  std::pmr::vector<std::uint32_t*> pieces_;
  std::pmr::vector<std::pair<void*, std::size_t>> allocations_;
  std::pmr::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0, end_ = 0;
  std::mutex shared_;
};

}  // namespace copse::dynamics
