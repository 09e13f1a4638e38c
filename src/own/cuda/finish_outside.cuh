// Flattens, and visits the arcs of the vertices outside the giant. A block takes a tile of vertices to their roots, gathers those that are
// outside, and when they are enough shares them out: first one thread a vertex for a few arcs; what is left of longer rows one warp a row;
// what is left of very long ones goes in pieces to a list, for all warps of a second kernel. Whoever finds its root to be the giant's
// leaves its row: an edge is dropped only where both ends leave, and then both are in the giant, which they never leave. Without a giant
// every vertex looks at its smaller neighbours, once an edge.
#pragma once
#include <backend/arcs.hpp>
#include <backend/cuda/after.cuh>
#include <backend/links.hpp>
#include <copse/core/types.hpp>
#include <own/cuda/flatten.cuh>
#include <own/cuda/gathered.cuh>
#include <own/cuda/tile.cuh>
#include <own/cuda/trees.cuh>
#include <own/cuda/workspace.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::own {

#ifndef FSPANS
#define FSPANS 4
#endif
using finish_turns = turns<FSPANS>;  // a block's share of the vertices

inline constexpr unsigned thread_arcs = 16, warp_arcs = 2048;  // of a row, to be walked by a thread, and then by a warp

/// What a walk along a row needs.
template <class Unite, class P, class Recorder = backend::no_recorder>
struct outside_walk {
  using id = typename P::id;
  backend::any_rows<id> rows;
  P p;
  id giant;
  Recorder made = {};

  __device__ bool among_giant(id root) const { return root == giant || (giant != no_vertex<id> && root == p.load(giant)); }
  /// Is the arc to `target` another vertex's? Only where nobody is passed over.
  __device__ bool others(id v, id target) const { return giant == no_vertex<id> && target >= v; }

  /// From arc `a` of v in steps of `stride`, until `last` or until the giant is met, which is told.
  __device__ bool walk(id v, std::uint64_t a, std::uint64_t last, unsigned stride) const {
    id root = patient<long_path>{}(p, v);
    for (; a < last; a += stride) {
      if (among_giant(root)) return true;
      const id target = rows.targets[a];
      if (!others(v, target)) root = backend::unite_and_note<Unite>(p, root, target, made, {v, target});
    }
    return among_giant(root);
  }
};

/// Arcs [first, last) of v, in pieces.
template <class Id>
__device__ void cut(Id v, std::uint64_t first, std::uint64_t last, gathered<row_part<Id>> parts) {
  unsigned part = atomicAdd(parts.count, static_cast<unsigned>((last - first + warp_arcs - 1) / warp_arcs));
  for (std::uint64_t a = first; a < last; a += warp_arcs) {
    parts.items[part++] = {a, static_cast<std::uint32_t>(last - a < warp_arcs ? last - a : warp_arcs), v};
  }
}

/// `outside` gathers the vertices with arcs that were outside, `parts` what is left of very long rows.
template <class Unite, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    finish_outside(backend::any_rows<typename P::id> rows, P p, const typename P::id* giant, gathered<typename P::id> outside,
                   gathered<row_part<typename P::id>> parts, Recorder made) {
  backend::after_the_last();
  using id = typename P::id;
  __shared__ std::uint16_t taken[finish_turns::chunk], rest[finish_turns::chunk];  // of the chunk
  __shared__ unsigned taken_count, rest_count, first_place;
  const outside_walk<Unite, P, Recorder> arcs{rows, p, *giant, made};
  const std::size_t n = rows.vertices();
  for (std::size_t chunk = std::size_t{blockIdx.x} * finish_turns::chunk; chunk < n; chunk += std::size_t{gridDim.x} * finish_turns::chunk) {
    if (threadIdx.x == 0) taken_count = rest_count = 0;
    __syncthreads();
    for (std::size_t at = chunk; at < chunk + finish_turns::chunk && at < n; at += finish_turns::span) {
      const std::size_t base = at + threadIdx.x / warp_threads * tile;
      id root[tile_vertices];
      flatten_tile_of_trees(p, base, n, arcs.giant, root);
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) {
        const std::size_t v = in_tile(base, k);
        const bool takes = v < n && root[k] != arcs.giant && rows.degree(static_cast<id>(v)) != 0;
        const unsigned place = place_in(&taken_count, takes);
        if (takes) taken[place] = static_cast<std::uint16_t>(v - chunk);
      }
    }
    __syncthreads();
    const unsigned count = taken_count;
    if (count != 0) {
    if (threadIdx.x == 0) first_place = atomicAdd(outside.count, count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += backend::threads_a_block) {
      const id v = static_cast<id>(chunk + taken[i]);
      outside.items[first_place + i] = v;
      const std::uint64_t first = rows.offsets[v], last = rows.offsets[std::size_t{v} + 1];
      const std::uint64_t stop = last - first > thread_arcs ? first + thread_arcs : last;
      if (arcs.walk(v, first, stop, 1) || stop == last) continue;
      const std::uint64_t left = last - stop;
      if (left <= warp_arcs) {
        rest[atomicAdd(&rest_count, 1u)] = taken[i];
        continue;
      }
      cut(v, stop, last, parts);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x / warp_threads; i < rest_count; i += warps_a_block) {
      const id v = static_cast<id>(chunk + rest[i]);
      arcs.walk(v, rows.offsets[v] + thread_arcs + threadIdx.x % warp_threads, rows.offsets[std::size_t{v} + 1], warp_threads);
      __syncwarp();
    }
    }
    __syncthreads();
  }
}

template <class Unite, class P, class Recorder>
__device__ void walk_parts(const outside_walk<Unite, P, Recorder>& arcs, gathered<row_part<typename P::id>> parts) {
  const unsigned count = *parts.count, warps = gridDim.x * warps_a_block;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / warp_threads; i < count; i += warps) {
    const auto part = parts.items[i];
    arcs.walk(part.v, part.first + threadIdx.x % warp_threads, part.first + part.arcs, warp_threads);
    __syncwarp();
  }
}

template <class Unite, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    finish_parts(backend::any_rows<typename P::id> rows, P p, const typename P::id* giant, gathered<row_part<typename P::id>> parts,
                 Recorder made) {
  backend::after_the_last();
  walk_parts(outside_walk<Unite, P, Recorder>{rows, p, *giant, made}, parts);
}

}  // namespace copse::own
