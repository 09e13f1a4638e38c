// Unites every vertex with its smaller neighbours, except the one that the first hook took. No vertex is pointed at its root first. For
// graphs whose trees are not components yet and in which no giant will form.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/afforest.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/extend/rules/unite/early.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <fast/cuda/check_rows.cuh>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/workspace.hpp>
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

/// Unites the ends of the arc from v to `target` by a rule that begins from vertices of their trees.
template <class Unite, class P, class Recorder>
struct unite_plainly {
  using id = typename P::id;
  P p;
  Recorder recorder;
  __device__ id operator()(id v, id u, id target) const { return backend::unite_and_note<Unite>(p, u, target, recorder, {v, target}); }
};

/// Unites along the rows of the listed vertices, or if the list has no array along those of its first *count vertices, by the warps of all
/// blocks: a thread walks a short row, and a warp a longer one. Rows of more than tile_row_arcs arcs are cut into `parts`.
template <class Id, class Step>
__device__ void unite_rows(const backend::any_rows<Id>& rows, const Id* listed, std::size_t count, device_list<row_part<Id>> parts,
                           Step step) {
  const backend::row_steps<Id, backend::load_once> steps{rows, rows.symmetric};
  const unsigned lane = threadIdx.x % warp_threads;
  const std::size_t stride = std::size_t{gridDim.x} * backend::threads_a_block;
  for (std::size_t base = std::size_t{blockIdx.x} * backend::threads_a_block + threadIdx.x - lane; base < count; base += stride) {
    Id v = static_cast<Id>(base + lane);
    std::uint64_t first = 0, last = 0;
    if (base + lane < count) {
      if (listed != nullptr) v = backend::load_once{}(listed + base + lane);
      steps.bounds(v, first, last);
    }
    if (last - first > tile_row_arcs) {
      cut(v, first, last, parts);
      last = first;
    }
    const std::uint64_t arcs = last - first;
    for (unsigned left = __ballot_sync(whole_warp, arcs >= backend::warp_row_arcs); left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const Id row = __shfl_sync(whole_warp, v, owner);
      const std::uint64_t begin = __shfl_sync(whole_warp, first, owner), end = __shfl_sync(whole_warp, last, owner);
      steps.along(row, begin + lane, end, warp_threads, step);
      __syncwarp();
    }
    if (arcs < backend::warp_row_arcs) steps.along(v, first, last, 1, step);
    __syncwarp();
  }
}

/// Unites along all arcs that the first kernel has left, by the way that `next` says. `more`: the vertices that it has listed.
template <class P, class Recorder>
__device__ void unite_all(const backend::any_rows<typename P::id>& rows, P p, course next, device_list<typename P::id> more,
                          device_list<row_part<typename P::id>> parts, Recorder recorder) {
  using id = typename P::id;
  const std::size_t n = rows.vertices();
  const id* const all = nullptr;
  const bool few = static_cast<double>(rows.arcs) < few_arcs * static_cast<double>(n);
  if (next == course::unite_listed && few) {
    unite_rows(rows, more.items, *more.count, parts, unite_unless_parent<more_steps, true, P, Recorder>{p, recorder});
  } else if (next == course::unite_listed) {
    unite_rows(rows, more.items, *more.count, parts, unite_unless_parent<few_steps, true, P, Recorder>{p, recorder});
  } else if (next == course::compare_parents) {
    unite_rows(rows, all, n, parts, unite_plainly<unite::afforest, P, Recorder>{p, recorder});
  } else if (next == course::climb) {
    unite_rows(rows, all, n, parts, unite_plainly<unite::early<find::naive>, P, Recorder>{p, recorder});
  } else {
    unite_rows(rows, all, n, parts, unite_unless_parent<few_steps, false, P, Recorder>{p, recorder});
  }
}

}  // namespace copse::fast
