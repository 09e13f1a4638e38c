// Work that few threads of each warp have, done by whole warps.
#pragma once
#include <fast/cuda/trees.cuh>

namespace copse::fast {

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

  struct share {
    T item;
    bool valid;  ///< false for threads without an item
  };
  [[nodiscard]] __device__ bool empty() const { return count_ == 0; }
  /// One item for each thread of the warp, or for every `Sharers` adjacent ones, as long as there are some.
  template <unsigned Sharers = 1>
  __device__ share take() {
    constexpr unsigned most = warp_threads / Sharers;
    const unsigned place = threadIdx.x % warp_threads / Sharers, now = count_ < most ? count_ : most;
    count_ -= now;
    const share mine{place < now ? items_[count_ + place] : T{}, place < now};
    __syncwarp();
    return mine;
  }

private:
  T* items_;
  unsigned count_ = 0;
};

}  // namespace copse::fast
