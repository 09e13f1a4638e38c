// An array that the threads of a kernel append to, in any order, the counterpart of loops/gather.hpp. Atomic additions to one counter by
// all warps of a GPU take about 3 ns each, one after the other; so gather() reserves room for the items of a whole block by one addition.
// In kernels that append rarely, the threads of a warp that append at the same time reserve their room by one addition.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <loops/gather.hpp>

#include <cstddef>
#include <utility>

namespace copse::backend {

/// Reserves the next free position of an array of which `count` positions are taken, and returns it.
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

  /// The number of items when the host last fetched it from the GPU, by counted().
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
    /// Appends the item and returns its position.
    __device__ unsigned long long operator()(T item) const {
      const unsigned long long at = take_place(count_);
      items_[at] = item;
      return at;
    }

  private:
    T* items_;
    unsigned long long* count_;
  };

  /// Returns an appender for a loop that appends behind the items that the array holds already.
  [[nodiscard]] appender more() noexcept { return {items_.data(), count_.data()}; }
  /// Empties the array and returns an appender for a loop.
  [[nodiscard]] appender begin(const cuda& loops) {
    loops.clear(count_.data(), sizeof(unsigned long long));
    return {items_.data(), count_.data()};
  }
  /// Fetches the number of items that the loop appended. Waits for that loop.
  void counted(const cuda& loops) { size_ = static_cast<std::size_t>(loops.fetched(count_.data())); }
  /// The counter in the memory of the GPU by which appenders reserve positions of the array.
  [[nodiscard]] unsigned long long* taken() noexcept { return count_.data(); }
  /// The array, for a loop that counts the items itself. Afterwards the caller must set their number by holds(), and must call begin()
  /// before it uses an appender again.
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

/// The argument `append` that gather() passes to a step: keeps the item, if any, that this call of the step appends.
template <class T>
struct one_item {
  T item;
  bool wanted = false;
  __device__ void operator()(T appended) {
    item = appended;
    wanted = true;
  }
};

/// The number of adjacent threads that share a step of gather(): 1, or F::parts for a step that may append several items.
template <class F>
inline constexpr unsigned parts_of_step = 1;
template <class F>
requires requires { F::parts; }
inline constexpr unsigned parts_of_step<F> = F::parts;

inline constexpr unsigned gathered_a_block = 8 * threads_a_block;

/// Calls f(i, append) for every i < count, or f.part(i, k, append) for each part k of step i. A block keeps items in shared memory until it
/// has many.
template <class T, class F>
__global__ void __launch_bounds__(threads_a_block) run_gather(std::size_t count, T* items, unsigned long long* size, F f) {
  __shared__ T kept[gathered_a_block];
  __shared__ unsigned next;
  __shared__ unsigned long long first;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::size_t stride = std::size_t{gridDim.x} * threads_a_block;
  unsigned held = 0;  // items in `kept`; all threads of the block have the same value
  for (std::size_t turn = std::size_t{blockIdx.x} * threads_a_block; turn < count; turn += stride) {
    one_item<T> found;
    if (const std::size_t i = turn + threadIdx.x; i < count) {
      if constexpr (parts_of_step<F> == 1) {
        f(i, found);
      } else {
        f.part(i / parts_of_step<F>, static_cast<unsigned>(i % parts_of_step<F>), found);
      }
    }
    const unsigned who = __ballot_sync(0xFFFFFFFFu, found.wanted);
    unsigned place = 0;
    if (lane == 0 && who != 0) place = atomicAdd(&next, static_cast<unsigned>(__popc(who)));
    place = __shfl_sync(0xFFFFFFFFu, place, 0) + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
    if (found.wanted) kept[place] = found.item;
    held += static_cast<unsigned>(__syncthreads_count(found.wanted));
    if (held + threads_a_block <= gathered_a_block && turn + stride < count) continue;
    if (threadIdx.x == 0) {
      first = atomicAdd(size, static_cast<unsigned long long>(held));
      next = 0;
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < held; k += threads_a_block) items[first + k] = kept[k];
    __syncthreads();
    held = 0;
  }
}

template <class T, class F>
void gather(const cuda& loops, std::size_t count, gathered_on_gpu<T>& to, F f) {
  static_cast<void>(to.begin(loops));
  if (const std::size_t steps = count * parts_of_step<F>; steps != 0) {
    loops.before_launch();
    run_gather<<<loops.blocks_for(steps), threads_a_block, 0, loops.stream()>>>(steps, to.items(), to.taken(), f);
    loops.launched();
  }
  to.counted(loops);
}

}  // namespace copse::backend
