// Solves a small graph with all steps in one kernel, whose blocks wait for each other between the steps. A step on such a graph takes a few
// microseconds, and so does the launch of a kernel; a barrier takes one microsecond. There are more threads than work, so a step takes as
// long as a thread waits for its loads, one after the other. Therefore only roots are gathered into a list, and loads that are sure to be
// needed are issued at once.
#pragma once
#include <cooperative_groups.h>
#include <core/random.hpp>
#include <fast/cuda/finish_outside.cuh>
#include <fast/cuda/hooks.cuh>
#include <fast/cuda/vote.cuh>
#include <fast/cuda/workspace.hpp>
#include <loops/arcs.hpp>

#include <cstddef>

namespace copse::fast {

inline constexpr unsigned one_launch_blocks = 2;  // blocks per multiprocessor: with more, a barrier takes longer
inline constexpr unsigned checked_by_few = 4;     // arcs that a thread checks at a time
// first_tops() loads the parent of each of a vertex's first neighbours, and then takes this many steps further up, for all of them side by
// side; most have come to their roots by then.
inline constexpr unsigned climbs_at_once = 4;

/// The first few targets of a row, and an ancestor of each that is a few steps up, mostly its root. If the row has fewer targets,
/// first_tops() puts `none` in their place.
template <class Id>
struct first_few {
  Id targets[hook_arcs], tops[hook_arcs];
};
template <class P>
__device__ first_few<typename P::id> first_tops(const backend::any_rows<typename P::id>& rows, P p, std::uint64_t first, std::uint64_t last,
                                                typename P::id none) {
  first_few<typename P::id> few;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) few.tops[k] = few.targets[k] = first + k < last ? rows.targets[first + k] : none;
  for (unsigned step = 0; step <= climbs_at_once; ++step) {
#pragma unroll
    for (unsigned k = 0; k < hook_arcs; ++k) few.tops[k] = p.load(few.tops[k]);
  }
  return few;
}

/// Hooks root v, as the second hook does, by two threads, which are number 0 and 1 (`which`). Both read the first few neighbours. If one of
/// these leads to a smaller tree, thread 0 hooks v to it. Otherwise each thread tries to join v to the tree of the second neighbour of a
/// neighbour: thread 0 of the first neighbour, thread 1 of the second one.
template <class P>
__device__ void hook_root_by_two(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, unsigned which) {
  using id = typename P::id;
  if (p.load(v) != v) return;
  const std::uint64_t first = rows.offsets[v], last = rows.offsets[std::size_t{v} + 1];
  const auto [asked, tops] = first_tops(rows, p, first, last, v);
  id smallest = v;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) smallest = tops[k] < smallest ? tops[k] : smallest;
  if (smallest < v) {
    if (which == 0) p.cas(v, v, smallest);  // fails if another thread has linked v
    return;
  }
  const id through = which == 0 ? asked[0] : asked[1];
  if (through != v) join_second_neighbour(rows, p, v, through, backend::no_recorder{});
}

/// Hooks `root` to `giant`, the root of the giant, if one of the first few targets of arcs [first, last), which belong to a vertex of the
/// tree of `root`, is in the giant. Returns true if it did; false if it found no such target, if `root` is smaller than `giant`, or if
/// another thread has linked `root`.
template <class P>
__device__ bool joins_giant(const backend::any_rows<typename P::id>& rows, P p, std::uint64_t first, std::uint64_t last,
                            typename P::id root, typename P::id giant) {
  if (root < giant) return false;
  const auto [asked, tops] = first_tops(rows, p, first, last, root);
  bool meets_giant = false;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) meets_giant |= tops[k] == giant;
  return meets_giant && p.cas(root, root, giant).ok;
}

/// Makes all blocks follow one decision about how the solve goes on. Each block passes the one that it has voted for, as `mine`; all of
/// them get the one that came first, which is stored in `*word`. No block links vertices before that, so the vote behind this decision saw
/// none of these links.
template <class Id>
__device__ decision<Id> agreed(unsigned long long* word, decision<Id> mine) {
  static_assert(sizeof(Id) == 4);
  constexpr unsigned long long has_voted = 1ull << 63;
  __shared__ unsigned long long all;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned long long said = has_voted | static_cast<unsigned long long>(mine.next) << 32 | mine.giant;
    const unsigned long long found = atomicCAS(word, 0, said);
    all = found == 0 ? said : found;
  }
  __syncthreads();
  return {static_cast<Id>(all), static_cast<course>(all >> 32 & 0xFF)};
}

/// Solves a small graph. Preconditions: rows store both directions of every edge; the counters of roots and near tiles are 0. Resets both
/// to 0 at the end.
template <class Unite, class Offset, class P>
__global__ void __launch_bounds__(backend::threads_a_block, one_launch_blocks)
    one_launch(const Offset* offsets, backend::any_rows<typename P::id> rows, P p, random_stream voters,
               gpu_counters<typename P::id>* counters, typename P::id* list, row_part<typename P::id>* part_list) {
  using id = typename P::id;
  const auto grid = cooperative_groups::this_grid();
  const std::size_t n = rows.vertices(), thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                    stride = std::size_t{gridDim.x} * blockDim.x;
  const device_list<id> roots{list, &counters->roots};
  const device_list<row_part<id>> parts{part_list, &counters->parts};
  if (thread == 0) {
    counters->parts = counters->joined = 0;
    counters->agreed = 0;
  }
  hook_first(offsets, rows, p, roots, &counters->near_tiles, backend::no_recorder{}, gridDim.x);
  grid.sync();
  const std::size_t root_count = counters->roots;
  for (std::size_t i = thread; i < 2 * root_count; i += stride) hook_root_by_two(rows, p, roots.items[i / 2], i % 2);
  grid.sync();
  if (counters->near_tiles != 0) {
    flatten_listed(p, roots, blockIdx.x, gridDim.x);
    grid.sync();
  }
  const auto decided = agreed(&counters->agreed, decide<backend::threads_a_block, long_path>(rows, p, voters, nullptr));
  const id giant = decided.giant;
  const outside_walk<Unite, P> arcs{rows, p, giant};
  const bool skips = decided.next == course::skip_giant;
  if (!skips) check_all<checked_by_few>(arcs, decided.next == course::compare_rows, false, parts, &counters->joined);
  for (std::size_t i = skips ? thread : n; i < n; i += stride) {
    const id v = static_cast<id>(i);
    const std::uint64_t first = offsets[i], last = offsets[i + 1], stop = last - first > thread_arcs ? first + thread_arcs : last;
    const id parent = p.load(v), root = patient<long_path>{}(p, parent);
    if (root != parent) p.store(v, root);
    if (first == last || root == giant || joins_giant(rows, p, first, last, root, giant) || arcs.walk(v, first, stop, 1) || stop == last)
      continue;
    cut(v, stop, last, parts);
  }
  grid.sync();
  if (counters->parts != 0) {
    walk_parts(arcs, parts);
    grid.sync();
  }
  if (thread == 0) counters->roots = counters->near_tiles = 0;
  if (!skips && counters->joined == 0 && counters->parts == 0) return;
  for (std::size_t i = thread; i < n; i += stride) {
    const id v = static_cast<id>(i), parent = p.load(v), root = patient<long_path>{}(p, parent);
    if (root != parent) p.store(v, root);
  }
}

}  // namespace copse::fast
