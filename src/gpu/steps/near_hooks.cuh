// Where vertices are numbered along a mesh or a road, the first neighbour is a row before, and paths are as long as the mesh is wide. There
// a vertex takes a near smaller neighbour of its tile as its parent instead, if one of its first few is, and hooks inside a tile are
// flattened in shared memory, so that a path goes from tile to tile.
#pragma once
#include <gpu/steps/tile.cuh>
#include <parents/device.cuh>

#include <cstddef>

namespace copse::backend {

inline constexpr unsigned nearness = 256;    // near: closer than this share of all vertices, where there are many
inline constexpr unsigned near_targets = 4;  // targets of a row that are searched for one in the tile

inline constexpr unsigned first_hook_blocks = 6;  // per multiprocessor: a first hook needs more registers than other kernels

/// What becomes of the vertices of a tile that take their first targets as parents if those are smaller.
struct hooked_tile {
  bool near;      ///< are most of its parents near? The same for all threads of the warp
  unsigned tops;  ///< of the calling thread, a bit for each k: its vertex has no parent
};

/// The tile from `base`. parent[k]: the first target of the vertex, or the vertex itself, before; its parent, after. `looks` for near tiles
/// is the same for all threads. target(k, a, to): does the row of vertex k have an a-th target? Then it becomes `to`.
template <unsigned Nearness, class Id, class Target>
__device__ hooked_tile hook_tile(std::size_t base, std::size_t n, bool looks, Id (&parent)[tile_vertices], Target target) {
  const Id reach = static_cast<Id>(n / Nearness);
  unsigned near = 0, tops = 0;
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const auto v = static_cast<Id>(in_tile(base, k));
    if (parent[k] >= v) {
      parent[k] = v;
      tops |= 1u << k;
    }
    near += v - parent[k] - 1 < reach;  // not where it is 0
  }
  const bool near_tile = looks && __reduce_add_sync(whole_warp, near) >= tile / 2;
  if (near_tile) {
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<Id>(in_tile(base, k));
      Id to;
      for (unsigned a = 1; a < near_targets && parent[k] < base && target(k, a, to); ++a) {
        if (to >= v) break;
        if (to >= base) parent[k] = to;
      }
    }
  }
  return {near_tile, tops};
}

/// Hooks inside the tile from `base`, flattened: `up` (shared memory of the warp) holds the place of the top of each place's tree in the
/// tile. Returns a bit for each k that is such a top: its parent, if it has one, is before the tile. Along a mesh or a road most vertices
/// hook to the one before: all of such a run point at its first at once.
template <class Id>
__device__ unsigned flatten_tile(Id* up, std::size_t base, const Id (&parent)[tile_vertices]) {
  unsigned tops = 0;
  const parents::cached<Id> inside{up};
  const unsigned up_to_me = ~0u >> (warp_threads - 1 - threadIdx.x % warp_threads);
  unsigned begin = 0;  // where the run begins that the place before belongs to
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const auto place = static_cast<Id>(in_tile(0, k));
    const bool top = parent[k] < base || parent[k] == base + place;
    tops |= static_cast<unsigned>(top) << k;
    const bool follows = !top && parent[k] + 1 == base + place;
    const unsigned begins = ~__ballot_sync(whole_warp, follows);
    const auto last_of = [&](unsigned places) {
      return places != 0 ? (k + 1) * warp_threads - 1 - __clz(static_cast<int>(places)) : begin;
    };
    const unsigned run = last_of(begins & up_to_me);
    begin = last_of(begins);
    inside.store(place, top ? place : follows ? static_cast<Id>(run) : parent[k] - static_cast<Id>(base));
  }
  __syncwarp();
  for (bool climbs = true; __any_sync(whole_warp, climbs);) {
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto place = static_cast<Id>(in_tile(0, k));
      const Id above = inside.load(place), higher = inside.load(above);
      if (higher == above) continue;
      inside.store(place, higher);
      climbs = true;
    }
  }
  return tops;
}

}  // namespace copse::backend
