// An array that the threads of a kernel append to, in any order: what gather.hpp is on the host. The threads of a warp that append at the
// same time take their room by one addition.
#pragma once
#include <backend/cuda/cuda.cuh>
#include <copse/core/memory.hpp>

#include <cstddef>
#include <utility>

namespace copse::backend {

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
    __device__ void operator()(T item) const {
      const unsigned together = __activemask(), lane = threadIdx.x % 32;
      const int leader = __ffs(static_cast<int>(together)) - 1;
      unsigned long long first = 0;
      if (static_cast<int>(lane) == leader) first = atomicAdd(count_, static_cast<unsigned long long>(__popc(together)));
      first = __shfl_sync(together, first, leader);
      items_[first + __popc(together & ((1u << lane) - 1))] = item;
    }

  private:
    T* items_;
    unsigned long long* count_;
  };

  /// Empties the array, for a loop to append to.
  [[nodiscard]] appender begin(const cuda& loops) {
    loops.clear(count_.data(), sizeof(unsigned long long));
    return {items_.data(), count_.data()};
  }
  /// After that loop. Waits for it.
  void counted(const cuda& loops) {
    unsigned long long count = 0;
    checked(cudaMemcpyAsync(&count, count_.data(), sizeof count, cudaMemcpyDeviceToHost, loops.stream()), "asking for a count");
    loops.wait();
    size_ = static_cast<std::size_t>(count);
  }

private:
  buffer<T> items_;
  buffer<unsigned long long> count_;
  std::size_t size_ = 0;
};

}  // namespace copse::backend
