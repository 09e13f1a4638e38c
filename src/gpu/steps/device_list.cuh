// Arrays and sums that the warps of a kernel add to. Later kernels read them on the GPU, so the host waits for nothing.
#pragma once
#include <gpu/loops/cuda.cuh>

#include <cstddef>

namespace copse::backend {

inline constexpr unsigned warp_threads = 32, whole_warp = 0xFFFFFFFFu, warps_a_block = threads_a_block / warp_threads;

template <class T>
struct device_list {
  T* items;
  unsigned* count;
  unsigned room = ~0u;  ///< capacity: a warp_appender drops items beyond it, but counts them
};

/// Returns a position of a list for each thread of the warp that `wants` one, by one atomic addition per warp to the list's `count`. All
/// threads of the warp must call it.
__device__ inline unsigned place_for(unsigned* count, bool wants) {
  const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
  if (who == 0) return 0;
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(count, static_cast<unsigned>(__popc(who)));
  return __shfl_sync(whole_warp, first, 0) + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
}

/// Adds the sum of `value` over all threads of the block to `*to`. All threads of the block call it.
template <class Sum>
__device__ void add_of_block(unsigned value, Sum* to) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const unsigned of_warp = __reduce_add_sync(whole_warp, value);
  if (threadIdx.x % warp_threads == 0 && of_warp != 0) atomicAdd(&sum, of_warp);
  __syncthreads();
  if (threadIdx.x == 0 && sum != 0) atomicAdd(to, static_cast<Sum>(sum));
}

/// The items that a warp appends are kept in shared memory and moved to the list when that is nearly full. Atomic additions to one counter
/// by all warps of a GPU take about 3 ns each, one after the other: one per 32 vertices would take as long as reading the graph.
template <class T>
class warp_appender {
public:
  static constexpr unsigned room = 8 * warp_threads;

  /// `kept`: the warp's shared memory for its items.
  __device__ warp_appender(T* kept, device_list<T> list) : kept_{kept}, list_{list} {}

  /// Appends the `item` of each thread for which `wants` is true. All threads of the warp must call it.
  __device__ void append(bool wants, T item) {
    const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
    if (wants) kept_[count_ + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)))] = item;
    count_ += static_cast<unsigned>(__popc(who));
    if (count_ > room - warp_threads) flush();
  }
  /// Moves the items in shared memory to the list. Must be called after the last append. All threads of the warp must call it.
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

// How passes over all vertices are divided: a warp takes a tile of consecutive vertices. Each thread takes several of them, 32 apart, so
// that it has several loads in flight and each load of the warp reads whole cache lines.
inline constexpr unsigned tile_vertices = 4;  ///< vertices of a tile for each thread of its warp
inline constexpr unsigned tile = tile_vertices * warp_threads;

/// The iterations of a block over the vertices. In each it takes a chunk of adjacent tiles, one for each of its warps, so that all warps
/// have equally many iterations. Paths lead from a vertex to smaller ones. Chunks are small, and blocks begin in order, so that most of
/// these have been processed when the block begins a chunk.
class tile_turns {
public:
  static constexpr std::size_t chunk = std::size_t{warps_a_block} * tile;

  /// The first `blocks` blocks of the grid share the n vertices.
  __device__ explicit tile_turns(std::size_t n, unsigned blocks = gridDim.x)
      : at_{std::size_t{blockIdx.x} * chunk}, n_{n}, stride_{std::size_t{blocks} * chunk} {}
  __device__ bool more() const { return at_ < n_; }
  __device__ void next() { at_ += stride_; }
  /// The first vertex of the block's chunk in this iteration.
  __device__ std::size_t begin() const { return at_; }
  /// The first vertex of the calling warp's tile.
  __device__ std::size_t base() const { return at_ + threadIdx.x / warp_threads * tile; }

private:
  std::size_t at_, n_, stride_;
};

/// The k-th of the vertices that the calling thread takes of its warp's tile, which begins at vertex `base`.
__device__ inline std::size_t in_tile(std::size_t base, unsigned k) { return base + k * warp_threads + threadIdx.x % warp_threads; }

}  // namespace copse::backend
