// The first hook: every vertex takes the first neighbour of its row as its parent if that is smaller, by a store, so there is no
// contention; in the same pass the vertices that stay roots and have arcs are gathered, because they are few (one in degree + 1 where ids
// are random) and far apart: in a pass over all vertices that only they take part in most threads of a warp would idle.
//
// In near tiles (near_hooks.cuh) hooks are flattened, and the roots of tiles are gathered too, to be flattened before all others.
#pragma once
#include <fast/cuda/trees.cuh>
#include <gpu/runtime/after.cuh>
#include <gpu/steps/load_once.cuh>
#include <gpu/steps/near_hooks.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// The hooks of a near tile, flattened (`up`: shared memory of the warp, with room for a tile): parent[k] becomes where the root of its
/// tile hooks to. Returns a bit for each k that is such a root.
template <class Id>
__device__ unsigned take_parents_of_tops(Id* up, std::size_t base, Id (&parent)[tile_vertices]) {
  const unsigned tops = backend::flatten_tile(up, base, parent);
  Id top[tile_vertices];
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) top[k] = up[in_tile(0, k)];
  __syncwarp();
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) up[in_tile(0, k)] = parent[k];
  __syncwarp();
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) parent[k] = up[top[k]];
  __syncwarp();
  return tops;
}

/// What is gathered: the roots, of which those of tiles are no roots of trees; or the latter only, and the vertices that have more to do.
enum class gathers { roots, tops_and_more };

/// Vertices with arcs beside the one that they hook along: where none of them can lead to a smaller vertex, the other end sees to it.
template <class Id>
struct more_arcs {
  device_list<Id> vertices;
  bool smaller_first;  ///< rows are sorted, and store both directions: a second smaller neighbour is the second target
};

// Where the L2 cache holds all parents it shall give up rows first, so that the next kernel finds the parents there. Elsewhere that gains
// nothing, and costs what neighbours in a row's line would have found.
// Measured on an H200, whose L2 cache has 60 MB: 2 to 6 % of whole solves from here down; no gain at twice as many vertices, and a loss of
// 2 % for the short rows of a mesh.
inline constexpr std::uint64_t cached_parents = std::uint64_t{5} << 20, arcs_of_long_rows = 8;

/// `near_tiles` counts tiles that were flattened. `recorder` records the arc that each vertex hooks along.
template <gathers What, unsigned Nearness = backend::nearness, class Load = backend::plain_load, class Offset, class P, class Recorder>
__device__ void hook_first(const Offset* offsets, const typename P::id* targets, std::size_t n, P p, device_list<typename P::id> roots,
                           more_arcs<typename P::id> more, unsigned* near_tiles, Recorder recorder) {
  using id = typename P::id;
  constexpr bool all_arcs = What == gathers::tops_and_more;
  __shared__ id up[warps_a_block][tile], stage[warps_a_block][warp_appender<id>::room],
      more_stage[all_arcs ? warps_a_block : 1][all_arcs ? warp_appender<id>::room : 1];
  const unsigned warp = threadIdx.x / warp_threads;
  warp_appender<id> gathering{stage[warp], roots}, gathering_more{more_stage[all_arcs ? warp : 0], more.vertices};
  unsigned near_seen = 0;
  const Load get;
  for (turns turn{n}; turn.more(); turn.next()) {
    const std::size_t base = turn.base();
    Offset first[tile_vertices], last[tile_vertices];
    id parent[tile_vertices];
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      first[k] = v < n ? get(offsets + v) : 0;
      last[k] = v < n ? get(offsets + v + 1) : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      parent[k] = first[k] < last[k] ? get(targets + first[k]) : static_cast<id>(in_tile(base, k));
    }
    unsigned unseen = 0;
    if (all_arcs) {
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) {
        const std::size_t v = in_tile(base, k);
        const bool has_more = !more.smaller_first ? first[k] < last[k] : first[k] + 1 < last[k] && get(targets + first[k] + 1) < v;
        unseen |= static_cast<unsigned>(has_more) << k;
      }
    }
    auto [near_tile, tops] = backend::hook_tile<Nearness>(base, n, true, parent, [&](unsigned k, unsigned a, id& to) {
      if (first[k] + a >= last[k]) return false;
      to = get(targets + first[k] + a);
      return true;
    });
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const auto v = static_cast<id>(in_tile(base, k));
      if (parent[k] != v) recorder(v, {v, parent[k]});
    }
    if (near_tile) {
      tops = take_parents_of_tops(up[warp], base, parent);
      ++near_seen;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      if (v < n) p.store(static_cast<id>(v), parent[k]);
    }
    if (all_arcs) {
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) gathering_more.append((unseen >> k & 1) != 0, static_cast<id>(in_tile(base, k)));
      if (!near_tile) continue;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      gathering.append((tops >> k & 1) != 0 && first[k] < last[k], static_cast<id>(in_tile(base, k)));
    }
  }
  gathering.flush();
  if (all_arcs) gathering_more.flush();
  if (near_seen != 0 && threadIdx.x % warp_threads == 0) atomicAdd(near_tiles, near_seen);
}

template <gathers What, class Load, class Offset, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::first_hook_blocks)
    first_hook(const Offset* offsets, const typename P::id* targets, std::size_t n, P p, device_list<typename P::id> roots,
               more_arcs<typename P::id> more, unsigned* near_tiles, Recorder recorder) {
  backend::after_the_last();
  hook_first<What, backend::nearness, Load>(offsets, targets, n, p, roots, more, near_tiles, recorder);
}

}  // namespace copse::fast
