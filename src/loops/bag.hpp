// A list that the threads of a loop append to, for loops whose steps have no state per thread, such as the steps of visit(). Each thread
// reserves room for many items at a time; reserved room that is not used holds a filler. Room does not grow inside a loop, because memory
// may run out, and no exception leaves a parallel loop. A thread that finds no room reports it, and grow() makes more room before the next
// loop.
#pragma once
#include <copse/memory.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace copse::backend {

template <class T>
class bag {
public:
  /// Allocates room for at least `capacity` items, however these are distributed over `hands` threads.
  bag(unsigned hands, std::size_t capacity, T filler, std::pmr::memory_resource* memory)
      : memory_{memory}, filler_{filler}, hands_(hands), items_{(capacity / handful + 1 + hands) * handful, memory} {}

  /// True if there is room for one more element of this thread, so that add() may follow.
  [[nodiscard]] bool has_room(unsigned thread) noexcept {
    hand& own = hands_[thread];
    if (own.next < own.end) return true;
    if (taken_.load(std::memory_order_relaxed) >= items_.size()) return false;
    const std::size_t first = taken_.fetch_add(handful, std::memory_order_relaxed);
    if (first >= items_.size()) return false;
    own = {first, first + handful};
    return true;
  }
  void add(unsigned thread, T item) noexcept { items_[hands_[thread].next++] = item; }

  /// Returns the items that were added, and among them a filler for each place that a thread has reserved but not used. Like grow(), may be
  /// called only between loops.
  [[nodiscard]] std::span<const T> items() noexcept {
    for (hand& own : hands_) {
      std::fill(items_.begin() + own.next, items_.begin() + own.end, filler_);
      own = {};
    }
    return {items_.data(), std::min(taken_.load(std::memory_order_relaxed), items_.size())};
  }

  /// Doubles the room and keeps the items.
  void grow() {
    const auto old = items();
    buffer<T> more{2 * items_.size(), memory_};
    std::copy(old.begin(), old.end(), more.begin());
    taken_.store(old.size(), std::memory_order_relaxed);
    items_ = std::move(more);
  }

private:
  static constexpr std::size_t handful = 64;  // items that a thread reserves at a time; divides the size of items_

  struct alignas(64) hand {
    std::size_t next = 0, end = 0;
  };

  std::pmr::memory_resource* memory_;
  T filler_;
  std::vector<hand> hands_;
  buffer<T> items_;
  std::atomic<std::size_t> taken_{0};
};

}  // namespace copse::backend
