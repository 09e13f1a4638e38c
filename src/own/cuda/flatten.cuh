// Every vertex to its root. A thread walks from several vertices at once, so that several loads are under way.
#pragma once
#include <backend/cuda/cuda.cuh>
#include <own/cuda/tile.cuh>
#include <own/cuda/trees.cuh>

#include <cstddef>

namespace copse::own {

/// The roots of the calling thread's vertices of a tile, stored where they are not the parents already. The store is plain: others halve by
/// minimum, so none of them undoes it.
template <class P>
__device__ void flatten_tile_of_trees(P p, std::size_t base, std::size_t n, typename P::id (&root)[tile_vertices]) {
  using id = typename P::id;
  constexpr unsigned together = 16;  // steps that the walks take side by side; few paths are longer
  id parent[tile_vertices];
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const std::size_t v = in_tile(base, k);
    root[k] = parent[k] = p.load(static_cast<id>(v < n ? v : 0));
  }
  bool climbs = true;
  for (unsigned step = 0; climbs && step < together; ++step) {
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const id above = p.load(root[k]);
      climbs |= above != root[k];
      root[k] = above;
    }
  }
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const std::size_t v = in_tile(base, k);
    if (climbs) root[k] = patient<0>{}(p, root[k]);
    if (v < n && root[k] != parent[k]) p.store(static_cast<id>(v), root[k]);
  }
}

template <class P>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor) flatten(P p, std::size_t n) {
  typename P::id root[tile_vertices];
  for (near_turns turn{n}; turn.more(); turn.next()) flatten_tile_of_trees(p, turn.base(), n, root);
}

}  // namespace copse::own
