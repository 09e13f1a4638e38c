// Every vertex to its root. A thread walks from several vertices at once, so that several loads are under way.
#pragma once
#include <copse/types.hpp>
#include <fast/cuda/trees.cuh>
#include <gpu/loops/cuda.cuh>

#include <cstddef>

namespace copse::fast {

/// The roots of the calling thread's vertices of a tile, stored where they are not the parents already. The store is plain: others halve by
/// minimum, so none of them undoes it. A walk that comes to `giant` ends there, whether that is a root still or not.
template <class P>
__device__ void flatten_tile_of_trees(P p, std::size_t base, std::size_t n, typename P::id giant, typename P::id (&root)[tile_vertices]) {
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
    id above[tile_vertices];
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) above[k] = root[k] != giant ? p.load(root[k]) : giant;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      climbs |= above[k] != root[k] && above[k] != giant;
      root[k] = above[k];
    }
  }
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const std::size_t v = in_tile(base, k);
    if (climbs && root[k] != giant) root[k] = patient<0>{}(p, root[k]);
    if (v < n && root[k] != parent[k]) p.store(static_cast<id>(v), root[k]);
  }
}

template <class P>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor) flatten(P p, std::size_t n) {
  typename P::id root[tile_vertices];
  for (near_turns turn{n}; turn.more(); turn.next()) flatten_tile_of_trees(p, turn.base(), n, no_vertex<typename P::id>, root);
}

}  // namespace copse::fast
