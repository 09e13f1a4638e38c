// The first hook of a sampler on a GPU, in the place of planting: every vertex takes the first neighbour of its row as its parent if that
// is smaller, by a store, so there is no contention. In the same pass the vertices that do not, and have arcs, are listed: they are few
// where ids are random (one in degree + 1) and far apart, so that in a pass over all vertices most threads of a warp would wait for them.
//
// `near`: where vertices are numbered along a mesh or a road the first neighbour is a row before, and paths are as long as the mesh is
// wide. There a vertex takes a smaller neighbour of its tile of 128 instead, if one of its first few is, and tiles are flattened in shared
// memory: each vertex points at the top of its tile then, and only tops, which are listed too, are on long paths.
#pragma once
#include <gpu/runtime/after.cuh>
#include <gpu/steps/device_list.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>
#include <parents/device.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned tile_vertices = 4, tile = tile_vertices * warp_threads;  // per thread, per warp
inline constexpr unsigned nearness = 256;                                          // near: closer than this share of all vertices
inline constexpr unsigned near_targets = 4;                                        // targets of a row that are searched for one in the tile

inline constexpr unsigned first_hook_blocks = 6;  // per multiprocessor: it needs more registers than others

template <class Id>
struct first_hook_task {
  any_rows<Id> rows;
  device_list<Id> listed;
  unsigned* near_tiles;  ///< counts tiles that were flattened; null: near vertices are not looked for
  Id* seconds;           ///< takes the second target of each row, or the vertex itself, if not null: it lies beside the first
};

/// Parents inside the tile from `base`, flattened: parent[k] becomes the top of its tile's tree. Returns a bit for each k that is a top.
template <class Id>
__device__ unsigned flatten_tile(Id* up, std::size_t base, Id (&parent)[tile_vertices]) {
  const unsigned lane = threadIdx.x % warp_threads;
  const parents::cached<Id> inside{up};
  unsigned tops = 0;
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const auto place = static_cast<Id>(k * warp_threads + lane);
    const bool top = parent[k] < base || parent[k] == base + place;
    tops |= static_cast<unsigned>(top) << k;
    inside.store(place, top ? place : parent[k] - static_cast<Id>(base));
  }
  bool climbs = true;
  do {
    __syncwarp();
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto place = static_cast<Id>(k * warp_threads + lane);
      const Id above = inside.load(place), higher = inside.load(above);
      if (higher == above) continue;
      inside.store(place, higher);
      climbs = true;
    }
  } while (__any_sync(whole_warp, climbs));
  __syncwarp();
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    if ((tops >> k & 1) == 0) parent[k] = static_cast<Id>(base) + inside.load(static_cast<Id>(k * warp_threads + lane));
  }
  __syncwarp();
  return tops;
}

template <class P, class Recorder>
__global__ void __launch_bounds__(threads_a_block, first_hook_blocks)
    first_hook(first_hook_task<typename P::id> task, P p, Recorder recorder) {
  after_the_last();
  using id = typename P::id;
  __shared__ id up[warps_a_block][tile], kept[warps_a_block][warp_appender<id>::room];
  const unsigned warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  const any_rows<id>& rows = task.rows;
  const std::size_t n = rows.vertices(), stride = std::size_t{gridDim.x} * warps_a_block * tile;
  warp_appender<id> listing{kept[warp], task.listed};
  unsigned near_seen = 0;
  for (std::size_t base = (std::size_t{blockIdx.x} * warps_a_block + warp) * tile; base < n; base += stride) {
    std::uint64_t first[tile_vertices];
    unsigned few[tile_vertices];  // arcs, as far as they count here
    id parent[tile_vertices];
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = base + k * warp_threads + lane;
      first[k] = v < n ? rows.offsets[v] : 0;
      const std::uint64_t arcs = v < n ? rows.offsets[v + 1] - first[k] : 0;
      few[k] = arcs < near_targets ? static_cast<unsigned>(arcs) : near_targets;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = base + k * warp_threads + lane;
      parent[k] = few[k] > 0 ? rows.targets[first[k]] : static_cast<id>(v);
      if (task.seconds != nullptr && v < n) {
        task.seconds[v] = few[k] > 1 ? rows.targets[first[k] + 1] : static_cast<id>(v);
      }
    }
    unsigned near = 0, tops = 0;
    const id reach = static_cast<id>(n / nearness);
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(base + k * warp_threads + lane);
      if (parent[k] >= v) {
        parent[k] = v;
        tops |= 1u << k;
      }
      near += v - parent[k] - 1 < reach;  // not where it is 0
    }
    const bool near_tile = task.near_tiles != nullptr && __reduce_add_sync(whole_warp, near) >= tile / 2;
    if (near_tile) {
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) {
        const auto v = static_cast<id>(base + k * warp_threads + lane);
        for (unsigned a = 1; a < few[k] && parent[k] < base; ++a) {
          const id target = rows.targets[first[k] + a];
          if (target >= v) break;
          if (target >= base) parent[k] = target;
        }
      }
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(base + k * warp_threads + lane);
      if (parent[k] != v) recorder(v, {v, parent[k]});
    }
    if (near_tile) {
      tops = flatten_tile(up[warp], base, parent);
      ++near_seen;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(base + k * warp_threads + lane);
      if (base + k * warp_threads + lane < n) p.store(v, parent[k] == v ? p.root(v) : p.link(parent[k]));
      listing.append((tops >> k & 1) != 0 && few[k] > 0, v);
    }
  }
  listing.flush();
  if (near_seen != 0 && lane == 0) atomicAdd(task.near_tiles, near_seen);
}

}  // namespace copse::backend
