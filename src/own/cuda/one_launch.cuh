// Small graphs: all steps in one kernel, whose blocks wait for each other between them. A step takes such a graph a few microseconds, and
// so does the launch of a kernel; a barrier takes one. Steps are as long as a thread waits for memory, word after word: there are more
// threads than work, so nothing is gathered but roots, and what is sure to be asked for is asked for at once.
#pragma once
#include <cooperative_groups.h>
#include <backend/arcs.hpp>
#include <core/random.hpp>
#include <own/cuda/finish_outside.cuh>
#include <own/cuda/first_hook.cuh>
#include <own/cuda/second_hook.cuh>
#include <own/cuda/vote.cuh>
#include <own/cuda/workspace.hpp>

#include <cstddef>

namespace copse::own {

inline constexpr unsigned one_launch_blocks = 2;  // a multiprocessor has places for: with more, a barrier takes longer
inline constexpr unsigned nearness_of_few = 32;   // a row of a small mesh is a larger share of all vertices

inline constexpr unsigned climbs_at_once = 4;  // from all of a root's first neighbours, side by side: mostly to their roots

/// The second hook of root v, by two threads: each asks all of the first few neighbours, and unites with a second neighbour of one of them
/// where none leads to a smaller tree. To hook at a root and not somewhere on a path keeps paths short, on which all later steps wait.
template <class Unite, class P>
__device__ void hook_root_by_two(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, unsigned which) {
  using id = typename P::id;
  static_assert(unite_arcs == 2);
  if (p.load(v) != v) return;
  const std::uint64_t first = rows.offsets[v], last = rows.offsets[std::size_t{v} + 1];
  id asked[hook_arcs], parent[hook_arcs];
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) asked[k] = first + k < last ? rows.targets[first + k] : v;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) parent[k] = p.load(asked[k]);
  for (unsigned step = 0; step < climbs_at_once; ++step) {
#pragma unroll
    for (unsigned k = 0; k < hook_arcs; ++k) parent[k] = p.load(parent[k]);
  }
  id smallest = v;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) smallest = parent[k] < smallest ? parent[k] : smallest;
  if (smallest < v) {
    if (which == 0) p.cas(v, v, smallest);  // fails where another has linked v
    return;
  }
  const id through = which == 0 ? asked[0] : asked[1];
  if (through == v) return;
  const std::uint64_t second = rows.offsets[through] + 1;
  if (second < rows.offsets[std::size_t{through} + 1]) Unite{}(p, v, rows.targets[second]);
}

/// The giant that the first block to have voted found, for all blocks. Links are made by blocks that know it, so that it voted before any.
template <class Id>
__device__ Id agreed(unsigned long long* word, Id mine) {
  __shared__ Id all;
  if (threadIdx.x == 0) {
    const unsigned long long said = 1ull << 32 | mine, before = atomicCAS(word, 0ull, said);
    all = static_cast<Id>(before == 0 ? said : before);
  }
  __syncthreads();
  return all;
}

/// Precondition: both directions of every edge; no roots and no near tiles in the counters. Leaves none there.
template <class Unite, class Offset, class P>
__global__ void __launch_bounds__(backend::threads_a_block, one_launch_blocks)
    one_launch(const Offset* offsets, backend::any_rows<typename P::id> rows, P p, random_stream random, float least_coverage,
               gpu_counters<typename P::id>* counters, typename P::id* list, row_part<typename P::id>* part_list) {
  using id = typename P::id;
  const auto grid = cooperative_groups::this_grid();
  const std::size_t n = rows.vertices(), thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                    stride = std::size_t{gridDim.x} * blockDim.x;
  const gathered<id> roots{list, &counters->roots};
  const gathered<row_part<id>> parts{part_list, &counters->parts};
  if (thread == 0) {
    counters->parts = 0;
    counters->agreed = 0;
  }
  hook_first<gathers::roots, nearness_of_few>(offsets, rows.targets, n, p, roots, &counters->near_tiles);
  grid.sync();
  const std::size_t root_count = counters->roots;
  for (std::size_t i = thread; i < 2 * root_count; i += stride) hook_root_by_two<Unite>(rows, p, roots.items[i / 2], i % 2);
  grid.sync();
  if (counters->near_tiles != 0) {
    flatten_listed(p, roots, blockIdx.x, gridDim.x);
    grid.sync();
  }
  const id giant = agreed(&counters->agreed, elected<backend::threads_a_block>(rows, p, random, least_coverage));
  const outside_walk<Unite, P> arcs{rows, p, giant};
  for (std::size_t i = thread; i < n; i += stride) {
    const id v = static_cast<id>(i);
    const std::uint64_t first = offsets[i], last = offsets[i + 1], stop = last - first > thread_arcs ? first + thread_arcs : last;
    if (first == last || patient<long_path>{}(p, v) == giant || arcs.walk(v, first, stop, 1) || stop == last) continue;
    cut(v, stop, last, parts);
  }
  grid.sync();
  if (counters->parts != 0) {
    walk_parts(arcs, parts);
    grid.sync();
  }
  if (thread == 0) counters->roots = counters->near_tiles = 0;
  for (std::size_t i = thread; i < n; i += stride) {
    const id v = static_cast<id>(i), parent = p.load(v), root = patient<long_path>{}(p, parent);
    if (root != parent) p.store(v, root);
  }
}

}  // namespace copse::own
