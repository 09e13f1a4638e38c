// A reserved piece of address space whose pages cost memory only once they are written, and a count of the pages that were written.
#pragma once
#include <copse/memory.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace copse::streaming {

/// A range of addresses. Fresh pages read as zero. It is also the memory resource of one array: allocate() returns its start, once, and
/// deallocate() of that array destroys the whole range. So an array can grow in the range and then become an owning buffer without a copy.
class address_range final : public std::pmr::memory_resource {
public:
  static constexpr std::uint64_t page_bytes = 4096;

  /// Reserves `bytes` bytes of address space. Returns nullptr if the system refuses them. If `memory` is a tracked_memory, the pages in use
  /// count as memory that it has allocated.
  static std::unique_ptr<address_range> reserve(std::uint64_t bytes, std::pmr::memory_resource* memory);
  address_range(const address_range&) = delete;
  address_range& operator=(const address_range&) = delete;
  ~address_range() override;

  [[nodiscard]] void* data() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t touched_bytes() const noexcept { return touched_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool touched(std::uint64_t page) const noexcept {
    return (word_of(page).load(std::memory_order_relaxed) >> (page % 64) & 1) != 0;
  }
  /// Counts page number `page` as used memory, once. Must be called before the page is first written; any thread may call it. Throws
  /// resource_error, and does not count the page, if that would exceed the memory limit.
  void touch(std::uint64_t page);
  /// Counts all pages of the first `bytes` bytes, and asks for huge pages, because all of them are going to be written.
  void touch_all(std::uint64_t bytes);
  /// Calls `visit(page)` for every touched page, ascending.
  template <class Visit>
  void for_each_touched(Visit visit) const {
    for (std::uint64_t word = 0; word < bitmap_.size(); ++word) {
      for (std::uint64_t bits = bitmap_[word]; bits != 0; bits &= bits - 1) {
        visit(word * 64 + static_cast<unsigned>(__builtin_ctzll(bits)));
      }
    }
  }
  /// Gives up the ownership of the range, for a buffer that takes over the array in it: `buffer<T>{count, &release(std::move(range))}`. The
  /// buffer destroys the range when it frees the array.
  static address_range& release(std::unique_ptr<address_range> range) noexcept { return *range.release(); }

private:
  address_range(void* base, std::uint64_t bytes, buffer<std::uint64_t> bitmap, tracked_memory* tracker) noexcept
      : base_{base}, bytes_{bytes}, bitmap_{std::move(bitmap)}, tracker_{tracker} {}

  void take_huge_page(std::uint64_t number);
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  [[nodiscard]] std::atomic_ref<std::uint64_t> word_of(std::uint64_t page) const noexcept {
    return std::atomic_ref<std::uint64_t>{const_cast<std::uint64_t&>(bitmap_[page / 64])};
  }

  void* base_;
  std::uint64_t bytes_;
  buffer<std::uint64_t> bitmap_;
  tracked_memory* tracker_;
  std::atomic<std::uint64_t> touched_{0};
};

}  // namespace copse::streaming
