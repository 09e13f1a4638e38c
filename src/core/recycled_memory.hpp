// Keeps large arrays that are freed, and reuses them for later allocations of similar size, so that the system need not provide and clear
// new pages: for a call that needs many such arrays one after the other.
#pragma once
#include <copse/memory.hpp>
#include <core/new_pages.hpp>

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace copse {

/// A thread-safe memory resource. All its arrays must be freed before it is destroyed.
class recycled_memory final : public std::pmr::memory_resource {
public:
  /// `threads` threads touch the pages of each new large array. If there are several, do not allocate inside a parallel loop: the
  /// allocation would wait for threads that are busy with the loop.
  recycled_memory(std::pmr::memory_resource* upstream, unsigned threads) : upstream_{upstream}, threads_{threads} {}
  recycled_memory(const recycled_memory&) = delete;
  ~recycled_memory() override { release(); }

private:
  static constexpr std::size_t large = std::size_t{1} << 20;
  struct block {
    void* first;
    std::size_t bytes;
    bool in_use;
  };

  static constexpr std::size_t alignment_of_blocks = 64;
  [[nodiscard]] static bool recycles(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes >= large && alignment <= alignment_of_blocks;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!recycles(bytes, alignment)) return upstream_->allocate(bytes, alignment);
    const std::scoped_lock lock{guard_};
    block* best = nullptr;
    for (block& b : blocks_) {
      if (!b.in_use && b.bytes >= bytes && b.bytes / 2 <= bytes && (best == nullptr || b.bytes < best->bytes)) best = &b;
    }
    if (best == nullptr) {
      void* const first = take(bytes);
      if (threads_ > 1) touch_pages(threads_, std::span{static_cast<std::byte*>(first), bytes});
      try {
        best = &blocks_.emplace_back(block{first, bytes, false});
      } catch (...) {
        upstream_->deallocate(first, bytes, alignment_of_blocks);
        throw;
      }
    }
    best->in_use = true;
    return best->first;
  }
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override {
    if (!recycles(bytes, alignment)) return upstream_->deallocate(pointer, bytes, alignment);
    const std::scoped_lock lock{guard_};
    std::find_if(blocks_.begin(), blocks_.end(), [pointer](const block& b) { return b.first == pointer; })->in_use = false;
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  /// Allocates a large array. If memory runs out, frees the arrays that are kept for reuse, and tries again.
  void* take(std::size_t bytes) {
    try {
      return upstream_->allocate(bytes, alignment_of_blocks);
    } catch (...) {
      if (!release()) throw;
      return upstream_->allocate(bytes, alignment_of_blocks);
    }
  }
  bool release() noexcept {
    return std::erase_if(blocks_, [this](const block& b) {
             if (!b.in_use) upstream_->deallocate(b.first, b.bytes, alignment_of_blocks);
             return !b.in_use;
           }) > 0;
  }

  std::pmr::memory_resource* upstream_;
  unsigned threads_;
  std::mutex guard_;
  std::vector<block> blocks_;
};

}  // namespace copse
