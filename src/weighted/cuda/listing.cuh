// Lists the edges of a range of ranks that are between two trees. Each edge is looked at once, from its smaller end.
//
// After the light edges have been solved, most of the others have both ends in the giant, and one bit per end tells so (the idea of
// filter-Kruskal): 8 vertices a byte stay in the cache.
#pragma once
#include <weighted/cuda/samples.cuh>

namespace copse::weighted {

/// The arcs [at, last) of the row of a tree by Lanes threads. All threads of the warp call it.
template <unsigned Lanes>
__device__ void list_arcs(const keyed_rows& rows, const forest_space& space, rank_range::bounds bounds, std::uint32_t tree,
                          std::uint64_t at, std::uint64_t last, candidate_appender& list) {
  const bool in_giant = tree == space.counters->giant;
  for (at += threadIdx.x % Lanes; __any_sync(whole_warp, at < last); at += Lanes) {
    candidate found{tree, tree, 0, static_cast<std::uint32_t>(at)};
    if (at < last) {
      const std::uint32_t target = rows.targets[at];
      if (!in_giant || (space.giant_bits[target / warp_threads] >> target % warp_threads & 1) == 0) {
        found.key = rows.keys[at];
        if (bounds.holds(found.rank())) found.v = space.trees[target];
      }
    }
    list.append(found.u != found.v, found);
  }
}

template <unsigned Lanes>
__global__ void __launch_bounds__(threads_a_block) list_rows(keyed_rows rows, forest_space space, rank_range range) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const rank_range::bounds bounds = range.on(space.samples);
  constexpr unsigned rows_a_warp = warp_threads / Lanes;
  const std::size_t stride = std::size_t{gridDim.x} * warps_a_block * rows_a_warp;
  for (std::size_t base = (std::size_t{blockIdx.x} * warps_a_block + threadIdx.x / warp_threads) * rows_a_warp; base < rows.vertices();
       base += stride) {
    const std::size_t row = base + threadIdx.x % warp_threads / Lanes;
    std::uint64_t at = 0, last = 0;
    std::uint32_t tree = 0;
    if (row < rows.vertices()) {
      at = rows.offsets[row] + space.smaller[row];
      last = rows.offsets[row + 1];
      tree = space.trees[row];
      if (last - at > piece_arcs) {
        if (threadIdx.x % Lanes == 0) put_pieces(space, tree, at, last);
        at = last;
      }
    }
    list_arcs<Lanes>(rows, space, bounds, tree, at, last, list);
  }
  list.flush();
}

/// The same before there are trees: edges between vertices, those of few ranks.
__device__ inline void list_light_arcs(const keyed_rows& rows, rank_range::bounds bounds, std::uint32_t u, std::uint64_t at,
                                       std::uint64_t last, candidate_appender& list) {
  for (at += threadIdx.x % warp_threads; __any_sync(whole_warp, at < last); at += warp_threads) {
    candidate found{u, u, 0, static_cast<std::uint32_t>(at)};
    if (at < last) {
      found.key = rows.keys[at];
      if (bounds.holds(found.rank())) found.v = rows.targets[at];
    }
    list.append(found.u != found.v, found);
  }
}

/// The rows that were put aside, by choose_first_edges when their ends are Vertices.
template <bool Vertices>
__global__ void __launch_bounds__(threads_a_block) list_pieces(keyed_rows rows, forest_space space, rank_range range) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const rank_range::bounds bounds = range.on(space.samples);
  const unsigned count = space.counters->pieces;
  for (unsigned k = blockIdx.x * warps_a_block + threadIdx.x / warp_threads; k < count; k += gridDim.x * warps_a_block) {
    const row_piece piece = space.pieces[k];
    if constexpr (Vertices) {
      list_light_arcs(rows, bounds, piece.end, piece.first, piece.last, list);
    } else {
      list_arcs<warp_threads>(rows, space, bounds, piece.end, piece.first, piece.last, list);
    }
  }
  list.flush();
}

}  // namespace copse::weighted
