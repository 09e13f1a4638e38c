// The arcs of the vertices outside the giant, on a GPU, where the giant is known there only. A block takes some vertices to their roots,
// which flattens the trees in the same pass, and gathers those outside until there is one for each of its threads: a thread walks a few arcs
// of each, a warp what is left of middling rows, and long ones go in pieces to a second kernel. Whoever meets the giant leaves its row: an
// edge is dropped only where both ends do, and then both are in the giant, which they never leave. Without a giant every vertex takes its
// arcs to smaller ones, each edge once.
#pragma once
#include <backend/arcs.hpp>
#include <backend/cuda/after.cuh>
#include <backend/cuda/device_list.cuh>
#include <backend/cuda/roots.cuh>
#include <backend/cuda/row_walks.cuh>
#include <copse/core/types.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned outside_arcs = 16;         // of a row, before a warp takes over
inline constexpr unsigned outside_vertices = 4;      // of a thread's turn
inline constexpr std::size_t outside_turns = 4;      // of adjacent vertices
inline constexpr std::size_t outside_span = outside_vertices * threads_a_block, outside_chunk = outside_turns * outside_span;

/// `walk` is a visit_walk that knows where the giant is, of a label whose `p` are the parents.
template <class Id, class Walk>
__global__ void __launch_bounds__(threads_a_block, blocks_a_multiprocessor) walk_outside(Walk walk, piece_list<Id> pieces) {
  after_the_last();
  __shared__ Id taken[2 * outside_span], rest[2 * outside_span];
  __shared__ unsigned taken_count, rest_count, first_place;
  const auto p = walk.label.p;
  const auto& rows = walk.steps.rows;
  const std::size_t n = rows.vertices();
  const Id giant = *walk.there.giant;
  if (threadIdx.x == 0) taken_count = rest_count = 0;
  for (std::size_t base = std::size_t{blockIdx.x} * outside_chunk; base < n;) {
    std::size_t next = base + outside_span;
    if (next % outside_chunk == 0) next += std::size_t{gridDim.x - 1} * outside_chunk;
    Id root[outside_vertices];
    roots_of(p, base + threadIdx.x, threads_a_block, n, walk.there.flattens, root);
    const Id top = giant == no_vertex<Id> ? giant : find::naive{}(p, giant);  // it may have joined another tree by now
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < outside_vertices; ++k) {
      const std::size_t v = base + k * threads_a_block + threadIdx.x;
      const bool takes = v < n && root[k] != giant && root[k] != top && rows.degree(static_cast<Id>(v)) != 0;
      const unsigned at = place_for(&taken_count, takes);
      if (takes) taken[at] = static_cast<Id>(v);
    }
    __syncthreads();
    base = next;
    const unsigned count = taken_count;
    if (count == 0 || (count < outside_span && base < n)) continue;
    if (threadIdx.x == 0) first_place = atomicAdd(walk.there.outside_count, count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += threads_a_block) {
      const Id v = taken[i];
      walk.there.outside[first_place + i] = v;
      const std::uint64_t last = rows.offsets[std::size_t{v} + 1], joined = rows.offsets[v] + walk.joined_arcs;
      const std::uint64_t first = joined < last ? joined : last, stop = last - first > outside_arcs ? first + outside_arcs : last;
      if (walk.along(v, first, stop, 1) || stop == last) continue;
      if (last - stop < long_row_arcs) {
        rest[atomicAdd(&rest_count, 1u)] = v;
      } else {
        pieces.cut(v, stop, last);
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x / warp_threads; i < rest_count; i += warps_a_block) {
      const Id v = rest[i];
      const std::uint64_t first = rows.offsets[v] + walk.joined_arcs + outside_arcs, last = rows.offsets[std::size_t{v} + 1];
      walk.along(v, first + threadIdx.x % warp_threads, last, warp_threads);
      __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x == 0) taken_count = rest_count = 0;
  }
}

/// Both kernels, of a graph of `arcs` arcs.
template <class Id, class Walk>
void walk_all_outside(const cuda& loops, std::uint64_t arcs, Walk walk) {
  const piece_buffers<Id> pieces{loops, arcs, walk.there.pieces};
  const std::size_t chunks = (walk.count + outside_chunk - 1) / outside_chunk;
  loops.before_launch();
  launch_after(loops, loops.blocks_in_order(chunks), threads_a_block, walk_outside<Id, Walk>, walk, pieces.list());
  loops.launched();
  pieces.walk(loops, walk);
}

}  // namespace copse::backend
