// Keeps large arrays that are freed, and makes later allocations from them, so that the system need not provide and clear new pages: for a
// call that needs many such arrays one after the other.
#pragma once
#include <copse/memory.hpp>
#include <core/new_pages.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <list>
#include <memory_resource>
#include <mutex>
#include <span>

namespace copse {

/// A thread-safe memory resource. All its arrays must be freed before it is destroyed.
class recycled_memory final : public std::pmr::memory_resource {
public:
  /// `threads` threads write to the pages of each new large array, so that the system allocates them. If there are several threads, do not
  /// allocate inside a parallel loop: the allocation would wait for threads that are busy with the loop.
  recycled_memory(std::pmr::memory_resource* upstream, unsigned threads) : upstream_{upstream}, threads_{threads} {}
  recycled_memory(const recycled_memory&) = delete;
  ~recycled_memory() override { release(); }

private:
  static constexpr std::size_t large = std::size_t{1} << 20, alignment_of_pieces = 64;
  /// A part of a block from upstream: an array, or the free memory between two arrays.
  struct piece {
    std::byte* first;
    std::size_t bytes;
    bool in_use, begins_block;
  };
  using pieces = std::list<piece>;

  [[nodiscard]] static bool recycles(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes >= large && alignment <= alignment_of_pieces;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!recycles(bytes, alignment)) return upstream_->allocate(bytes, alignment);
    bytes = whole(bytes);
    const std::scoped_lock lock{guard_};
    auto best = pieces_.end();
    for (auto p = pieces_.begin(); p != pieces_.end(); ++p) {
      if (!p->in_use && p->bytes >= bytes && (best == pieces_.end() || p->bytes < best->bytes)) best = p;
    }
    if (best == pieces_.end()) {
      pieces fresh(1);  // the list node; allocated first, because if this failed later, the new block would be lost
      fresh.front() = {take(bytes), bytes, false, true};
      best = fresh.begin();
      pieces_.splice(pieces_.end(), fresh);
      if (threads_ > 1) touch_pages(threads_, std::span{best->first, bytes});
    } else if (best->bytes - bytes >= large) {
      pieces_.insert(std::next(best), {best->first + bytes, best->bytes - bytes, false, false});
      best->bytes = bytes;
    }
    best->in_use = true;
    return best->first;
  }
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override {
    if (!recycles(bytes, alignment)) return upstream_->deallocate(pointer, bytes, alignment);
    const std::scoped_lock lock{guard_};
    const auto freed = std::find_if(pieces_.begin(), pieces_.end(), [pointer](const piece& p) { return p.first == pointer; });
    freed->in_use = false;
    join_next(freed);
    if (freed != pieces_.begin() && !std::prev(freed)->in_use) join_next(std::prev(freed));
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  [[nodiscard]] static std::size_t whole(std::size_t bytes) noexcept {
    return (bytes + alignment_of_pieces - 1) / alignment_of_pieces * alignment_of_pieces;
  }
  /// Merges the free piece `p` with the next piece, if that is free, too, and in the same block.
  void join_next(pieces::iterator p) noexcept {
    const auto next = std::next(p);
    if (next == pieces_.end() || next->in_use || next->begins_block) return;
    p->bytes += next->bytes;
    pieces_.erase(next);
  }

  /// Allocates a block. If memory runs out, frees the blocks that are kept for reuse, and tries again.
  std::byte* take(std::size_t bytes) {
    try {
      return static_cast<std::byte*>(upstream_->allocate(bytes, alignment_of_pieces));
    } catch (...) {
      if (!release()) throw;
      return static_cast<std::byte*>(upstream_->allocate(bytes, alignment_of_pieces));
    }
  }
  /// Frees all blocks that no longer hold an array. Returns true if there were any.
  bool release() noexcept {
    bool released = false;
    for (auto p = pieces_.begin(); p != pieces_.end();) {
      const auto next = std::next(p);
      if (!p->in_use && p->begins_block && (next == pieces_.end() || next->begins_block)) {
        upstream_->deallocate(p->first, p->bytes, alignment_of_pieces);
        pieces_.erase(p);
        released = true;
      }
      p = next;
    }
    return released;
  }

  std::pmr::memory_resource* upstream_;
  unsigned threads_;
  std::mutex guard_;
  pieces pieces_;  ///< the arrays and the free memory of all blocks; those of one block are adjacent, in the order of addresses
};

}  // namespace copse
