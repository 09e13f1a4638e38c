// Arrays that the warps of a kernel append to, and whose length later kernels read where it lies: no host waits for it.
#pragma once
#include <gpu/loops/cuda.cuh>

namespace copse::backend {

inline constexpr unsigned warp_threads = 32, whole_warp = 0xFFFFFFFFu, warps_a_block = threads_a_block / warp_threads;

template <class T>
struct device_list {
  T* items;
  unsigned* count;
  unsigned room = ~0u;  ///< a warp_appender leaves out what is beyond it, and counts it
};

/// A place for each thread of the warp that `wants` one, by one addition for all of them. All threads of the warp call it.
__device__ inline unsigned place_for(unsigned* count, bool wants) {
  const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
  if (who == 0) return 0;
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(count, static_cast<unsigned>(__popc(who)));
  return __shfl_sync(whole_warp, first, 0) + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
}

/// What a warp appends: kept in shared memory first, and moved to the list when that is nearly full. Additions to one counter by all warps
/// of a GPU take about 3 ns each, one after the other: one for every 32 vertices would take as long as reading the graph.
template <class T>
class warp_appender {
public:
  static constexpr unsigned room = 8 * warp_threads;

  /// `kept`: shared memory of the warp, for so many items.
  __device__ warp_appender(T* kept, device_list<T> list) : kept_{kept}, list_{list} {}

  /// All threads of the warp call it; those that `want` append `item`.
  __device__ void append(bool wants, T item) {
    const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
    if (wants) kept_[count_ + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)))] = item;
    count_ += static_cast<unsigned>(__popc(who));
    if (count_ > room - warp_threads) flush();
  }
  /// To be called once more after the last append.
  __device__ void flush() {
    if (count_ == 0) return;
    __syncwarp();
    const unsigned lane = threadIdx.x % warp_threads;
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(list_.count, count_);
    first = __shfl_sync(whole_warp, first, 0);
    for (unsigned i = lane; i < count_ && first + i < list_.room; i += warp_threads) list_.items[first + i] = kept_[i];
    __syncwarp();
    count_ = 0;
  }

private:
  T* kept_;
  device_list<T> list_;
  unsigned count_ = 0;
};

}  // namespace copse::backend
