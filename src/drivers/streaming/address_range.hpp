// A reserved piece of address space whose pages cost memory only once they are written, and a count of those that were.
#pragma once
#include <copse/memory.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace copse::streaming {

/// Fresh pages read as zero. It is also the memory resource of one array: allocate() hands out its start once, and deallocate() of that
/// array destroys the whole range, so an array can grow in the range and leave as an owning buffer without a copy.
class address_range final : public std::pmr::memory_resource {
public:
  static constexpr std::uint64_t page_bytes = 4096;

  /// nullptr when the system refuses so much address space. Pages are counted in `memory` when it is a tracked_memory.
  static std::unique_ptr<address_range> reserve(std::uint64_t bytes, std::pmr::memory_resource* memory);
  address_range(const address_range&) = delete;
  address_range& operator=(const address_range&) = delete;
  ~address_range() override;

  [[nodiscard]] void* data() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t touched_bytes() const noexcept { return touched_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool touched(std::uint64_t page) const noexcept {
    return (word_of(page).load(std::memory_order_relaxed) >> (page % 64) & 1) != 0;
  }
  /// To be called before a page is first written, by any thread. Throws resource_error over the limit; the page is then not counted.
  void touch(std::uint64_t page);
  /// Counts all pages of the first `bytes`, and asks for huge ones: they are going to be written throughout.
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
  /// Gives the array that was grown here to its new owner, a buffer: `buffer<T>{count, &range.release()}`.
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
