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

}  // namespace copse::own
