// Small graphs: all steps in one kernel, whose blocks wait for each other between them. A step takes such a graph a few microseconds, and
// so does the launch of a kernel; a barrier takes one.
#pragma once
#include <cooperative_groups.h>
#include <backend/arcs.hpp>
#include <core/random.hpp>
#include <own/cuda/finish_outside.cuh>
#include <own/cuda/first_hook.cuh>
#include <own/cuda/labels.cuh>
#include <own/cuda/second_hook.cuh>
#include <own/cuda/vote.cuh>
#include <own/cuda/workspace.hpp>

#include <cstddef>

namespace copse::own {

inline constexpr unsigned one_launch_blocks = 2;  // a multiprocessor has places for: with more, a barrier takes longer

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
  const bool first = blockIdx.x == 0 && threadIdx.x == 0;
  const gathered<id> roots{list, &counters->roots}, outside{list, &counters->outside};
  const gathered<row_part<id>> parts{part_list, &counters->parts};
  if (first) {
    counters->outside = counters->parts = 0;
    counters->agreed = 0;
  }
  hook_first<gathers::roots>(offsets, rows.targets, rows.vertices(), p, roots, &counters->near_tiles);
  grid.sync();
  hook_second<Unite>(rows, p, roots);
  grid.sync();
  if (counters->near_tiles != 0) {
    flatten_listed(p, roots, blockIdx.x, gridDim.x);
    grid.sync();
  }
  const id giant = agreed(&counters->agreed, elected<backend::threads_a_block>(rows, p, random, least_coverage));
  const outside_walk<Unite, P> arcs{rows, p, giant};
  finish_tiles<turns<1>>(arcs, outside, parts);
  grid.sync();
  if (counters->parts != 0) {
    walk_parts(arcs, parts);
    grid.sync();
  }
  if (first) counters->roots = counters->near_tiles = 0;
  label(p, rows.vertices(), giant, outside);
}

}  // namespace copse::own
