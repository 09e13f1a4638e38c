// An array that the threads of a kernel append to, in any order: what gather.hpp is on the host. The threads of a warp that append at the
// same time take their room by one addition.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <loops/gather.hpp>

#include <cstddef>
#include <utility>

namespace copse::backend {

/// The next place of an array of which `count` are taken.
__device__ inline unsigned long long take_place(unsigned long long* count) {
  const unsigned together = __activemask(), lane = threadIdx.x % 32;
  const int leader = __ffs(static_cast<int>(together)) - 1;
  unsigned long long first = 0;
  if (static_cast<int>(lane) == leader) first = atomicAdd(count, static_cast<unsigned long long>(__popc(together)));
  return __shfl_sync(together, first, leader) + __popc(together & ((1u << lane) - 1));
}

/// Holds at most `capacity` items, which the caller guarantees.
template <class T>
class gathered_on_gpu {
public:
  gathered_on_gpu(std::size_t capacity, std::pmr::memory_resource* memory) : items_(capacity, memory), count_(1, memory) {}

  /// As of the last call of counted().
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T* data() const noexcept { return items_.data(); }
  void swap(gathered_on_gpu& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(count_, other.count_);
    std::swap(size_, other.size_);
  }

  class appender {
  public:
    appender(T* items, unsigned long long* count) noexcept : items_{items}, count_{count} {}
    /// Returns its place.
    __device__ unsigned long long operator()(T item) const {
      const unsigned long long at = take_place(count_);
      items_[at] = item;
      return at;
    }

  private:
    T* items_;
    unsigned long long* count_;
  };

  /// For a loop that appends to the current items.
  [[nodiscard]] appender more() noexcept { return {items_.data(), count_.data()}; }
  /// Empties the array, for a loop to append to.
  [[nodiscard]] appender begin(const cuda& loops) {
    loops.clear(count_.data(), sizeof(unsigned long long));
    return {items_.data(), count_.data()};
  }
  /// After that loop. Waits for it.
  void counted(const cuda& loops) { size_ = static_cast<std::size_t>(loops.fetched(count_.data())); }
  /// For a loop that keeps the count itself: sets the size on the host. No appender may follow before begin().
  [[nodiscard]] T* items() noexcept { return items_.data(); }
  void holds(std::size_t count) noexcept { size_ = count; }

private:
  buffer<T> items_;
  buffer<unsigned long long> count_;
  std::size_t size_ = 0;
};

template <class T>
struct gathered_by<cuda, T> {
  using type = gathered_on_gpu<T>;
};

template <class Append, class F>
struct step_that_appends {
  Append append;
  F f;
  __device__ void operator()(std::size_t i) const { f(i, append); }
};

template <class T, class F>
void gather(const cuda& loops, std::size_t count, gathered_on_gpu<T>& to, F f) {
  using appender = typename gathered_on_gpu<T>::appender;
  loops.for_each(count, step_that_appends<appender, F>{to.begin(loops), f});
  to.counted(loops);
}

}  // namespace copse::backend
