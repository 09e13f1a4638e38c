// Unites every vertex with its smaller neighbours, except the one that the first hook took. No vertex is pointed at its root first. For
// graphs whose trees are not components yet and in which no giant will form.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <fast/cuda/trees.cuh>
#include <gpu/loops/visit.cuh>
#include <gpu/steps/load_once.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::fast {

using gpu_unite = unite::async<patient<long_path>>;  // for ends whose paths are short, or are in the L1 cache

// Two ends are near if their ids differ by less than this: their paths then mostly pass the same vertices, whose parents the L1 cache has.
inline constexpr unsigned near_vertices = 1u << 14;
// After this many steps, a walk that unites ends that are far apart begins to shorten paths: few_steps, or more_steps in graphs with few
// arcs per vertex, where a shortened path is seldom walked again.
inline constexpr unsigned few_steps = 6, more_steps = 14;
inline constexpr double few_arcs = 2.5;  // with fewer arcs per vertex, more_steps are taken
/// A unite whose stores are plain: one that comes late may undo a better one, so it must not run concurrently with a pass that flattens.
using shortening_unite = unite::rem_cas<find::naive, splice::halve_one>;

/// Unites the ends of the arc from v to `target`, except the arc that the first hook took, whose target is the parent. u: a vertex of v's
/// tree, from which the walk begins; such a vertex is returned for the next arc. If `FindsNear`, ends that are near each other are united
/// by finds of both roots: for trees in which the hooks left short paths between such ends.
template <unsigned Steps, bool FindsNear, class P, class Recorder>
struct unite_unless_parent {
  using id = typename P::id;
  P p;
  Recorder recorder;
  __device__ id operator()(id v, id u, id target) const {
    const id above = p.load(u);
    if (target == above) return u;
    const auto near = [target](id w) { return (w < target ? target - w : w - target) < near_vertices; };
    return FindsNear && (near(v) || near(above))
               ? backend::unite_and_note<gpu_unite>(p, u, target, recorder, {v, target})
               : backend::unite_and_note<side_by_side<Steps, shortening_unite>>(p, u, target, recorder, {v, target});
  }
};

/// Unites along the rows of at most `most_arcs` arcs, by the warps of all blocks: a thread walks a short row, and a warp a longer one.
template <class P, class Recorder>
__device__ void unite_rows(const backend::any_rows<typename P::id>& rows, P p, Recorder recorder, unsigned most_arcs) {
  using id = typename P::id;
  const backend::row_steps<id, backend::load_once> steps{rows, true};
  const unite_unless_parent<few_steps, false, P, Recorder> step{p, recorder};
  const unsigned lane = threadIdx.x % warp_threads;
  const std::size_t n = rows.vertices(), stride = std::size_t{gridDim.x} * backend::threads_a_block;
  for (std::size_t base = std::size_t{blockIdx.x} * backend::threads_a_block + threadIdx.x - lane; base < n; base += stride) {
    const id v = static_cast<id>(base + lane);
    std::uint64_t first = 0, last = 0;
    if (base + lane < n && rows.degree(v) <= most_arcs) steps.bounds(v, first, last);
    const std::uint64_t arcs = last - first;
    for (unsigned left = __ballot_sync(whole_warp, arcs >= backend::warp_row_arcs); left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const id row = __shfl_sync(whole_warp, v, owner);
      const std::uint64_t begin = __shfl_sync(whole_warp, first, owner), end = __shfl_sync(whole_warp, last, owner);
      steps.along(row, begin + lane, end, warp_threads, step);
      __syncwarp();
    }
    if (arcs < backend::warp_row_arcs) steps.along(v, first, last, 1, step);
    __syncwarp();
  }
}

}  // namespace copse::fast
