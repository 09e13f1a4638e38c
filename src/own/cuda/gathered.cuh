// Arrays that the warps of a kernel append to, and whose length later kernels read where it lies: the host never asks.
#pragma once
#include <own/cuda/tile.cuh>

namespace copse::own {

template <class T>
struct gathered {
  T* items;
  unsigned* count;
};

/// Room for one item of each thread of the warp that `wants` it, by one addition for all of them. All threads of the warp call it.
__device__ inline unsigned place_in(unsigned* count, bool wants) {
  const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
  unsigned first = 0;
  if (who == 0) return first;
  if (lane == 0) first = atomicAdd(count, static_cast<unsigned>(__popc(who)));
  return __shfl_sync(whole_warp, first, 0) + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
}

/// Appends in two steps: to a stage of the warp in shared memory, and from there, when it is nearly full, to the array. An addition to one
/// counter by all warps of a GPU takes about 3 ns each, one after the other: once for every tile, that is as long as reading the graph.
template <class T>
class staged {
public:
  static constexpr unsigned room = 8 * warp_threads;

  __device__ staged(T* stage, gathered<T> all) : stage_{stage}, all_{all} {}

  /// All threads of the warp call it; those that `want` append `item`.
  __device__ void append(bool wants, T item) {
    const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
    if (wants) stage_[count_ + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)))] = item;
    count_ += static_cast<unsigned>(__popc(who));
    if (count_ > room - warp_threads) flush();
  }
  /// Once more after the last.
  __device__ void flush() {
    if (count_ == 0) return;
    __syncwarp();
    unsigned first = 0;
    const unsigned lane = threadIdx.x % warp_threads;
    if (lane == 0) first = atomicAdd(all_.count, count_);
    first = __shfl_sync(whole_warp, first, 0);
    for (unsigned i = lane; i < count_; i += warp_threads) all_.items[first + i] = stage_[i];
    __syncwarp();
    count_ = 0;
  }

private:
  T* stage_;
  gathered<T> all_;
  unsigned count_ = 0;
};

/// Items that a warp collects, in shared memory, until there is one for each of its threads.
template <class T>
class full_warps {
public:
  static constexpr unsigned room = 2 * warp_threads;

  __device__ explicit full_warps(T* items) : items_{items} {}

  /// All threads of the warp call it; those that `want` add `item`. Precondition: not full.
  __device__ void add(bool wants, T item) {
    const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
    if (wants) items_[count_ + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)))] = item;
    count_ += static_cast<unsigned>(__popc(who));
    __syncwarp();
  }
  [[nodiscard]] __device__ bool full() const { return count_ >= warp_threads; }

  struct taken {
    T item;
    bool there;  ///< false for threads that are left over
  };
  /// One item for each thread of the warp, as long as there are some.
  __device__ taken take() {
    const unsigned lane = threadIdx.x % warp_threads, now = count_ < warp_threads ? count_ : warp_threads;
    count_ -= now;
    const taken mine{lane < now ? items_[count_ + lane] : T{}, lane < now};
    __syncwarp();
    return mine;
  }

private:
  T* items_;
  unsigned count_ = 0;
};

}  // namespace copse::own
