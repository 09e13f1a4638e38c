// An array to which many threads append in any order, such as the frontiers of a search, or the edges that remain.
#pragma once
#include <copse/memory.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace copse::backend {

/// Holds at most `capacity` items, which the caller guarantees.
template <class T>
class gathered {
public:
  gathered(std::size_t capacity, std::pmr::memory_resource* memory) : items_(capacity, memory) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] const T* data() const noexcept { return items_.data(); }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  void clear() noexcept { size_.store(0, std::memory_order_relaxed); }
  void swap(gathered& other) noexcept {
    std::swap(items_, other.items_);
    const std::size_t size = size_.load(std::memory_order_relaxed);
    size_.store(other.size(), std::memory_order_relaxed);
    other.size_.store(size, std::memory_order_relaxed);
  }

  /// The appender of one thread, which reserves room in the array for many items at once.
  class appender {
  public:
    explicit appender(gathered& to) noexcept : to_{to} {}
    appender(const appender&) = delete;
    ~appender() { flush(); }
    void operator()(T item) noexcept {
      if (held_ == own_.size()) flush();
      own_[held_++] = item;
    }

  private:
    void flush() noexcept {
      const std::size_t first = to_.size_.fetch_add(held_, std::memory_order_relaxed);
      std::copy_n(own_.begin(), held_, to_.items_.data() + first);
      held_ = 0;
    }

    gathered& to_;
    std::array<T, 128> own_;
    std::size_t held_ = 0;
  };

private:
  buffer<T> items_;
  std::atomic<std::size_t> size_{0};
};

/// The type of array to which the loops of a backend append.
template <class Backend, class T>
struct gathered_by {
  using type = gathered<T>;
};
template <class Backend, class T>
using gathered_of = typename gathered_by<Backend, T>::type;

/// Empties `to` and calls f(i, append) for every i < count, concurrently; append(item) adds to `to`.
template <class Backend, class T, class F>
void gather(const Backend& loops, std::size_t count, gathered<T>& to, F f) {
  to.clear();
  loops.for_blocks(count, [&to, f](std::size_t begin, std::size_t end) {
    typename gathered<T>::appender append{to};
    for (std::size_t i = begin; i < end; ++i) f(i, append);
  });
}

}  // namespace copse::backend
