// How passes over all vertices are cut up: a warp takes a tile of consecutive vertices, each thread several of them, a warp's width apart,
// so that that many loads of a thread are under way at once and each is one of whole lines.
#pragma once
#include <gpu/steps/device_list.cuh>

#include <cstddef>

namespace copse::backend {

inline constexpr unsigned tile_vertices = 4;  ///< per thread
inline constexpr unsigned tile = tile_vertices * warp_threads;

/// The turns of a block: a chunk of adjacent tiles, one for each of its warps, so that all make as many turns. Chunks are small, and blocks
/// begin in order, so that most of what lies before a chunk has been done: paths lead there.
class turns {
public:
  static constexpr std::size_t chunk = std::size_t{warps_a_block} * tile;

  __device__ explicit turns(std::size_t n) : at_{std::size_t{blockIdx.x} * chunk}, n_{n} {}
  __device__ bool more() const { return at_ < n_; }
  __device__ void next() { at_ += std::size_t{gridDim.x} * chunk; }
  /// Where the block's tiles of this turn begin.
  __device__ std::size_t begin() const { return at_; }
  /// Where the tile of the calling warp begins.
  __device__ std::size_t base() const { return at_ + threadIdx.x / warp_threads * tile; }

private:
  std::size_t at_, n_;
};

/// The k-th vertex of the calling thread in the tile from `base`.
__device__ inline std::size_t in_tile(std::size_t base, unsigned k) { return base + k * warp_threads + threadIdx.x % warp_threads; }

}  // namespace copse::backend
