// The second hook, of the roots that the first one left. Each takes the smallest parent of its first few neighbours, or a vertex a few
// steps above, if that is smaller than it: no path is walked to its end. They were larger than the root, so they have hooked, and one whose
// smallest neighbour is another vertex leads to another tree. That alone would leave trees of middling size, each around a vertex that is
// the smallest neighbour of all that it asks: those join the trees of second neighbours, which makes one giant of them.
#pragma once
#include <fast/cuda/full_warps.cuh>
#include <fast/cuda/join_roots.cuh>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/vote.cuh>
#include <gpu/runtime/after.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace copse::fast {

inline constexpr unsigned hook_arcs = 4;  // arcs of a root that are read side by side
inline constexpr unsigned climbs = 2;     // steps from there, towards the root
inline constexpr unsigned join_arcs = 2;  // to neighbours whose second neighbours it joins, a thread for each

/// Root v takes a vertex above one of its neighbours of arcs [first, first + hook_arcs), or up to `last`: the smallest parent of these, if
/// that is smaller than v. False if none is.
template <class P, class Recorder>
__device__ bool hooks_below(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, std::uint64_t first, std::uint64_t last,
                            Recorder recorder) {
  using id = typename P::id;
  id asked[hook_arcs], above[hook_arcs];
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) asked[k] = first + k < last ? rows.targets[first + k] : v;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) above[k] = p.load(asked[k]);
  id parent = v, target = v;
#pragma unroll
  for (unsigned k = 0; k < hook_arcs; ++k) {
    if (above[k] >= parent || asked[k] == v) continue;
    parent = above[k];
    target = asked[k];
  }
  if (target == v) return false;
  for (unsigned step = 0; step < climbs; ++step) {
    const id higher = p.load(parent);
    if (higher == parent) break;
    parent = higher;
  }
  if (p.cas(v, v, parent).ok) recorder(v, {v, target});  // fails where another has linked v
  return true;
}

/// Root v joins the tree of the second neighbour of its neighbour `through`.
template <class P, class Recorder>
__device__ void join_second_neighbour(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, typename P::id through,
                                      Recorder recorder) {
  using id = typename P::id;
  const std::uint64_t second = rows.offsets[through] + 1;
  if (second >= rows.offsets[std::size_t{through} + 1]) return;
  const id target = rows.targets[second];
  // Where edges count, this one is the neighbour's, which in sorted rows is the root's child by now: it is a step more.
  join_roots(p, std::is_same_v<Recorder, backend::no_recorder> ? v : through, target, recorder, {through, target});
}

/// Takes the root of a tile to its root. False if it is a root itself.
template <class P>
__device__ bool flattens_top(P p, typename P::id v) {
  const auto parent = p.load(v);
  if (parent == v) return false;
  const auto root = patient<0>{}(p, parent);
  if (root != parent) p.store(v, root);
  return true;
}

/// Roots that no neighbour of the first few hooks ask the next few, and then join second neighbours: a warp collects them until all of its
/// threads have one, because a few of each warp would keep the others waiting at every step. `blocks` share the roots.
template <class P, class Recorder>
__device__ void hook_second(backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots, bool has_tops, unsigned blocks,
                            Recorder recorder) {
  using id = typename P::id;
  __shared__ id for_more[warps_a_block][full_warps<id>::room], for_joining[warps_a_block][full_warps<id>::room];
  const unsigned warp = threadIdx.x / warp_threads;
  full_warps<id> more{for_more[warp]}, joining{for_joining[warp]};
  const auto join_some = [&] {
    const auto [v, valid] = joining.template take<join_arcs>();  // a thread for each of its neighbours
    if (!valid || p.load(v) != v) return;
    const std::uint64_t arc = rows.offsets[v] + threadIdx.x % join_arcs;
    if (arc < rows.offsets[std::size_t{v} + 1]) join_second_neighbour(rows, p, v, rows.targets[arc], recorder);
  };
  const auto ask_more = [&] {
    const auto [v, valid] = more.take();
    bool joins = false;
    if (valid && p.load(v) == v) {
      const std::uint64_t first = rows.offsets[v] + hook_arcs, last = rows.offsets[std::size_t{v} + 1];
      joins = first >= last || !hooks_below(rows, p, v, first, last, recorder);
    }
    joining.add(joins, v);
    while (joining.full()) join_some();
  };
  const std::size_t count = *roots.count, stride = std::size_t{blocks} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + warp * warp_threads; base < count; base += stride) {
    const std::size_t i = base + threadIdx.x % warp_threads;
    const id v = i < count ? roots.items[i] : 0;
    bool asks_more = false;
    if (i < count && !(has_tops && flattens_top(p, v))) {
      asks_more = !hooks_below(rows, p, v, rows.offsets[v], rows.offsets[std::size_t{v} + 1], recorder);
    }
    more.add(asks_more, v);
    if (more.full()) ask_more();
  }
  ask_more();
  while (!joining.empty()) join_some();
}

/// Of at least two blocks the last one votes for the giant. It hooks nothing, and goes along the voters' paths while the others work, so
/// that when they are done few steps are left, on which the GPU waits. It waits for blocks that may begin after it: they have places, as it
/// takes one.
template <class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    second_hook(backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots, const unsigned* near_tiles,
                random_stream voters, unsigned* hooked, typename P::id* giant, Recorder recorder) {
  backend::after_the_last();
  const unsigned hooking = gridDim.x - 1;
  if (blockIdx.x != hooking) {
    hook_second(rows, p, roots, *near_tiles != 0, hooking, recorder);
    tell_done(hooked);
    return;
  }
  const auto winner = elected<backend::threads_a_block, 0>(rows, p, voters, [&] { return all_done(hooked, hooking); });
  if (threadIdx.x == 0) *giant = winner;
}

}  // namespace copse::fast
