// Memory for rows of edges, in pages of equal size, so that no memory is lost when pages come and go.
//
// A page has 8 rows: first the lower halves of their codes, then 16 more bits of each, and then one array for each value that edges carry.
#pragma once
#include <copse/errors.hpp>
#include <dynamic/block_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace copse::dynamics {

class edge_pages {
  static constexpr std::uint32_t chunk_pages = 512;

public:
  static constexpr std::uint32_t page_rows = 8;

  /// What is stored of an edge: 48 bits of its code, and its values.
  struct row {
    std::uint32_t* low;
    std::uint16_t* high;
    std::uint64_t* values;

    [[nodiscard]] std::uint64_t code() const noexcept { return std::uint64_t{*high} << 32 | *low; }
    [[nodiscard]] std::uint64_t& value(unsigned i) const noexcept { return values[i * page_rows]; }
    void set_code(std::uint64_t code) const noexcept {
      *low = static_cast<std::uint32_t>(code);
      *high = static_cast<std::uint16_t>(code >> 32);
    }
  };

  edge_pages(unsigned values, std::pmr::memory_resource* memory) : values_{values}, memory_{memory}, chunks_{memory} {}
  edge_pages(const edge_pages&) = delete;
  ~edge_pages() {
    for (std::byte* const chunk : chunks_) memory_->deallocate(chunk, chunk_pages * page_bytes(), alignment);
  }

  [[nodiscard]] row at(std::uint32_t page, std::uint32_t index) const noexcept {
    std::byte* const begin = chunks_[page / chunk_pages] + page % chunk_pages * page_bytes();
    return {reinterpret_cast<std::uint32_t*>(begin) + index, reinterpret_cast<std::uint16_t*>(begin + page_rows * low_bytes) + index,
            reinterpret_cast<std::uint64_t*>(begin + page_rows * code_bytes) + index};
  }
  void copy(const row& from, const row& to) const noexcept {
    *to.low = *from.low;
    *to.high = *from.high;
    for (unsigned i = 0; i < values_; ++i) to.value(i) = from.value(i);
  }
  /// Makes sure that this number of pages can be taken. Throws resource_error if there are too many.
  void reserve(std::uint32_t pages) {
    while (free_ + (chunks_.size() * chunk_pages - used_) < pages) {
      if (chunks_.size() == none / chunk_pages)
        throw resource_error{"a dynamic graph cannot have more than about 34 billion edges with weights, times or keys"};
      chunks_.reserve(chunks_.size() + 1);
      chunks_.push_back(static_cast<std::byte*>(memory_->allocate(chunk_pages * page_bytes(), alignment)));
    }
  }
  /// Precondition: reserve() was called for this page.
  [[nodiscard]] std::uint32_t take() noexcept {
    if (free_ == 0) return used_++;
    --free_;
    return std::exchange(first_free_, *at(first_free_, 0).low);
  }
  void give_back(std::uint32_t page) noexcept {
    *at(page, 0).low = std::exchange(first_free_, page);
    ++free_;
  }

private:
  static constexpr std::size_t alignment = 64, low_bytes = sizeof(std::uint32_t), code_bytes = low_bytes + sizeof(std::uint16_t);
  [[nodiscard]] std::size_t page_bytes() const noexcept { return page_rows * (code_bytes + values_ * sizeof(std::uint64_t)); }

  unsigned values_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<std::byte*> chunks_;
  std::uint32_t first_free_ = none, free_ = 0;  // each free page has the number of the next one in its first row
  std::uint32_t used_ = 0;                      // pages below this number were taken before
};

}  // namespace copse::dynamics
