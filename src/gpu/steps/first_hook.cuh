// The first hook of a sampler on a GPU, in the place of planting: every vertex takes the first neighbour of its row as its parent if that
// is smaller, by a store, so there is no contention. In the same pass the vertices that do not, and have arcs, are listed: they are few
// where ids are random (one in degree + 1) and far apart, so that in a pass over all vertices most threads of a warp would wait for them.
//
// In near tiles (near_hooks.cuh) each vertex points at the top of its tile's tree, and only tops, which are listed too, are on long paths.
#pragma once
#include <gpu/runtime/after.cuh>
#include <gpu/steps/near_hooks.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

template <class Id>
struct first_hook_task {
  any_rows<Id> rows;
  device_list<Id> listed;
  unsigned* near_tiles;  ///< counts tiles that were flattened; null: near vertices are not looked for
  Id* seconds;           ///< takes the second target of each row, or the vertex itself, if not null: it lies beside the first
};

/// The hooks of a near tile, flattened: parent[k] becomes the top of its tile's tree. Returns a bit for each k that is a top.
template <class Id>
__device__ unsigned take_tops(Id* up, std::size_t base, Id (&parent)[tile_vertices]) {
  const unsigned tops = flatten_tile(up, base, parent);
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    if ((tops >> k & 1) == 0) parent[k] = static_cast<Id>(base) + up[in_tile(0, k)];
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
  const unsigned warp = threadIdx.x / warp_threads;
  const any_rows<id>& rows = task.rows;
  const std::size_t n = rows.vertices();
  warp_appender<id> listing{kept[warp], task.listed};
  unsigned near_seen = 0;
  for (turns turn{n}; turn.more(); turn.next()) {
    const std::size_t base = turn.base();
    std::uint64_t first[tile_vertices];
    unsigned few[tile_vertices];  // arcs, as far as they count here
    id parent[tile_vertices];
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      first[k] = v < n ? rows.offsets[v] : 0;
      const std::uint64_t arcs = v < n ? rows.offsets[v + 1] - first[k] : 0;
      few[k] = arcs < near_targets ? static_cast<unsigned>(arcs) : near_targets;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      parent[k] = few[k] > 0 ? rows.targets[first[k]] : static_cast<id>(v);
      if (task.seconds != nullptr && v < n) {
        task.seconds[v] = few[k] > 1 ? rows.targets[first[k] + 1] : static_cast<id>(v);
      }
    }
    auto [near_tile, tops] = hook_tile<nearness>(base, n, task.near_tiles != nullptr, parent, [&](unsigned k, unsigned a, id& to) {
      if (a >= few[k]) return false;
      to = rows.targets[first[k] + a];
      return true;
    });
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(in_tile(base, k));
      if (parent[k] != v) recorder(v, {v, parent[k]});
    }
    if (near_tile) {
      tops = take_tops(up[warp], base, parent);
      ++near_seen;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(in_tile(base, k));
      if (in_tile(base, k) < n) p.store(v, parent[k] == v ? p.root(v) : p.link(parent[k]));
      listing.append((tops >> k & 1) != 0 && few[k] > 0, v);
    }
  }
  listing.flush();
  if (near_seen != 0 && threadIdx.x % warp_threads == 0) atomicAdd(task.near_tiles, near_seen);
}

}  // namespace copse::backend
