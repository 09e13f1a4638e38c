// The first hook of a sampler on a GPU, which replaces planting: the first neighbour in the row of a vertex becomes its parent if it is
// smaller, by a store, so there is no contention. The same pass lists the vertices that have arcs but got no parent. With random ids these
// are few (one in degree + 1) and far apart, so that in a pass over all vertices most threads of a warp would wait for them.
//
// In near tiles (see hook_tile) each vertex points to the root of its tree within the tile, called a top. Only tops, which are listed too,
// are on long paths.
#pragma once
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/device_list.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>
#include <parents/device.cuh>

#include <cstddef>

namespace copse::backend {

// Where vertices are numbered along a mesh or a road, the first neighbour of a vertex is in the previous row of the mesh, and paths are as
// long as the mesh is wide. There a vertex prefers as its parent a smaller neighbour within its tile, if one of its first few targets is
// such a neighbour. Hooks within a tile are flattened in shared memory, so that a path goes from tile to tile.
inline constexpr unsigned near_targets = 4;  // only so many targets of a sorted row are searched for a parent within the tile
// The limit for unsorted rows, in which the targets within the tile and the smallest target may be anywhere.
inline constexpr unsigned near_targets_unsorted = 16;

/// Returns the distance of ids below which a parent is near: 1/256 of the number of vertices, or 1/32 in small graphs, where the previous
/// row of a mesh is a larger share of all vertices.
__device__ inline std::size_t near_reach(std::size_t vertices) {
  constexpr std::size_t small = std::size_t{1} << 18;
  return vertices / (vertices <= small ? 32 : 256);
}

// Blocks of a first hook per multiprocessor. It needs more registers than other kernels.
inline constexpr unsigned first_hook_blocks = 6;

/// The result of hooking the vertices of a tile, each of which takes its first target as its parent if that is smaller.
struct hooked_tile {
  /// True if at least half of the tile's vertices have parents that are smaller by at most `reach`; the same for all threads of the warp.
  bool near;
  unsigned tops;  ///< bit k is set if vertex k of the calling thread has no parent
};

/// Hooks the vertices of the tile that begins at `base`. On entry parent[k] is the first target of vertex k of the calling thread, or the
/// vertex itself; on return it is its parent. If at least half of the parents are smaller by at most `reach`, a vertex prefers a parent
/// within the tile. `sorted` is true if rows are sorted. target(k, a, to) returns false if the row of vertex k has no target with
/// index a, and else sets `to` to that target. `recorder` records the edge from each vertex to its parent.
template <class Id, class Target, class Recorder>
__device__ hooked_tile hook_tile(std::size_t base, Id reach, bool sorted, Id (&parent)[tile_vertices], Target target, Recorder recorder) {
  unsigned near = 0, tops = 0;
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const auto v = static_cast<Id>(in_tile(base, k));
    if (parent[k] >= v) {
      parent[k] = v;
      tops |= 1u << k;
    }
    near += v - parent[k] - 1 < reach;  // counts parents that are smaller by 1 to `reach`; for roots the difference wraps around
  }
  const bool near_tile = __reduce_add_sync(whole_warp, near) >= tile / 2;
  if (near_tile) {
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<Id>(in_tile(base, k));
      Id to;
      const unsigned most = sorted ? near_targets : near_targets_unsorted;
      for (unsigned a = 1; a < most && (parent[k] < base || (!sorted && parent[k] == v)) && target(k, a, to); ++a) {
        if (to >= v && sorted) break;
        if (to < v && (to >= base || to < parent[k])) parent[k] = to;
      }
      if (parent[k] != v) tops &= ~(1u << k);
    }
  }
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const auto v = static_cast<Id>(in_tile(base, k));
    if (parent[k] != v) recorder(v, {v, parent[k]});
  }
  return {near_tile, tops};
}

/// Flattens the hooks within the tile that begins at `base`. `up`, in shared memory of the warp, receives for each place in the tile the
/// place of its tree's top. Returns a mask in which bit k is set if vertex k of the calling thread is a top: its parent, if it has one, is
/// before the tile. Along a mesh or a road most vertices hook to the previous vertex: all vertices of such a run point to the first one at
/// once.
template <class Id>
__device__ unsigned flatten_tile(Id* up, std::size_t base, const Id (&parent)[tile_vertices]) {
  unsigned tops = 0;
  const parents::cached<Id> inside{up};
  const unsigned up_to_me = ~0u >> (warp_threads - 1 - threadIdx.x % warp_threads);
  // The place in the tile of the first vertex of the current run, in which each vertex has hooked to the vertex before it.
  unsigned begin = 0;
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

/// Flattens the hooks within a tile: parent[k] becomes the last vertex on the path from the vertex towards its root that is in the tile (a
/// top), unless the vertex itself is a top. Returns a mask in which bit k is set if vertex k of the calling thread is a top.
struct take_tops {
  template <class Id>
  __device__ unsigned operator()(Id* up, std::size_t base, Id (&parent)[tile_vertices]) const {
    const unsigned tops = flatten_tile(up, base, parent);
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      if ((tops >> k & 1) == 0) parent[k] = static_cast<Id>(base) + up[in_tile(0, k)];
    }
    __syncwarp();
    return tops;
  }
};

/// Shared memory of a block for hook_tiles(): one object, however often a kernel calls that function.
template <class Id>
struct hooking_room {
  Id up[warps_a_block][tile], kept[warps_a_block][warp_appender<Id>::room];

  __device__ static hooking_room& of_block() {
    __shared__ hooking_room room;
    return room;
  }
};

/// Stores the first target of every vertex as its parent, if that is smaller. `begin_tile(base, first, last, parent)` is called for each
/// tile before its vertices hook: the arcs of vertex k of the calling thread are [first[k], last[k]), and its first target, parent[k], may
/// be replaced by another one. In near tiles (see hook_tile) `flatten` flattens the hooks, as take_tops does. Lists the tops of near tiles
/// and, if not `OnlyTops`, all vertices of other tiles that have arcs but got no parent. Adds the number of near tiles to `*near_tiles`,
/// which may be null if `reach` is 0: then no tile is near. The first `blocks` blocks of the grid share the vertices.
template <bool OnlyTops = false, class Rows, class P, class Flatten, class Recorder, class BeginTile>
__device__ void hook_tiles(const Rows& rows, P p, std::size_t reach, device_list<typename P::id> listed, unsigned* near_tiles,
                           Flatten flatten, Recorder recorder, unsigned blocks, BeginTile begin_tile) {
  using id = typename P::id;
  using offset = decltype(rows.offsets[0]);
  auto& [up, kept] = hooking_room<id>::of_block();
  const unsigned warp = threadIdx.x / warp_threads;
  const std::size_t n = rows.vertices();
  warp_appender<id> listing{kept[warp], listed};
  unsigned near_seen = 0;
  for (tile_turns turn{n, blocks}; turn.more(); turn.next()) {
    const std::size_t base = turn.base();
    offset first[tile_vertices], last[tile_vertices];
    id parent[tile_vertices];
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      first[k] = v < n ? rows.offsets[v] : 0;
      last[k] = v < n ? rows.offsets[v + 1] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      parent[k] = first[k] < last[k] ? rows.targets[first[k]] : static_cast<id>(in_tile(base, k));
    }
    begin_tile(base, first, last, parent);
    const auto target = [&](unsigned k, unsigned a, id& to) {
      if (first[k] + a >= last[k]) return false;
      to = rows.targets[first[k] + a];
      return true;
    };
    auto [near_tile, tops] = hook_tile(base, static_cast<id>(reach), rows.sorted, parent, target, recorder);
    if (near_tile) {
      tops = flatten(up[warp], base, parent);
      ++near_seen;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(in_tile(base, k));
      if (in_tile(base, k) < n) p.store(v, parent[k] == v ? p.root(v) : p.link(parent[k]));
    }
    if (OnlyTops && !near_tile) continue;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      listing.append((tops >> k & 1) != 0 && first[k] < last[k], static_cast<id>(in_tile(base, k)));
    }
  }
  listing.flush();
  if (near_seen != 0 && threadIdx.x % warp_threads == 0) atomicAdd(near_tiles, near_seen);
}

template <class Id>
struct first_hook_task {
  any_rows<Id> rows;
  device_list<Id> listed;
  unsigned* near_tiles;  ///< counts the tiles in which at least half of the parents are near (near_reach); null: no tile is flattened
  /// if not null, receives the second target of each row, or the vertex itself; its load is cheap next to that of the first
  Id* seconds;
};

template <class P, class Recorder>
__global__ void __launch_bounds__(threads_a_block, first_hook_blocks)
    first_hook(first_hook_task<typename P::id> task, P p, Recorder recorder) {
  after_the_last();
  using id = typename P::id;
  const any_rows<id>& rows = task.rows;
  const auto store_seconds = [&](std::size_t base, const auto& first, const auto& last, const auto& /*parent*/) {
    if (task.seconds == nullptr) return;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      if (v < rows.vertices()) task.seconds[v] = first[k] + 1 < last[k] ? rows.targets[first[k] + 1] : static_cast<id>(v);
    }
  };
  const std::size_t reach = task.near_tiles == nullptr ? 0 : near_reach(rows.vertices());
  hook_tiles(rows, p, reach, task.listed, task.near_tiles, take_tops{}, recorder, gridDim.x, store_seconds);
}

}  // namespace copse::backend
