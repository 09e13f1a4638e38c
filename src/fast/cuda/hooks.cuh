// The two hooks that make the giant. The first one: every vertex takes the first neighbour of its row as its parent if that is smaller, by
// a store, so there is no contention; in the same pass the vertices that stay roots and have arcs are gathered, because they are few (one
// in degree + 1 where ids are random) and far apart: in a pass over all vertices that only they take part in most threads of a warp would
// idle. In near tiles (gpu/steps/first_hook.cuh) hooks are flattened, and the roots of tiles are gathered too, to be flattened before all
// others.
#pragma once
#include <fast/cuda/trees.cuh>
#include <fast/cuda/vote.cuh>
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/first_hook.cuh>
#include <gpu/steps/load_once.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace copse::fast {

/// The hooks of a near tile, flattened (`up`: shared memory of the warp, with room for a tile): parent[k] becomes where the root of its
/// tile hooks to. Returns a bit for each k that is such a root.
template <class Id>
__device__ unsigned take_parents_of_tops(Id* up, std::size_t base, Id (&parent)[tile_vertices]) {
  const unsigned tops = backend::flatten_tile(up, base, parent);
  Id top[tile_vertices];
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) top[k] = up[in_tile(0, k)];
  __syncwarp();
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) up[in_tile(0, k)] = parent[k];
  __syncwarp();
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) parent[k] = up[top[k]];
  __syncwarp();
  return tops;
}

// Of a row in no order the first target is as often larger as smaller. The few beside it are mostly in the same sector of memory, and the
// smallest of them leaves fewer roots.

/// parent[k] becomes the smallest of the first few targets of arcs [first[k], last[k]), of which it is the first.
template <class Load, class Offset, class Id>
__device__ void take_least(const Id* targets, const Offset (&first)[tile_vertices], const Offset (&last)[tile_vertices],
                           Id (&parent)[tile_vertices]) {
  const Load get;
#pragma unroll
  for (unsigned a = 1; a < least_of; ++a) {
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const Id target = first[k] + a < last[k] ? get(targets + first[k] + a) : parent[k];
      parent[k] = target < parent[k] ? target : parent[k];
    }
  }
}

// Where hardly a vertex of a tile has a smaller first neighbour, as where all of one side of a bipartite graph come first, those neighbours
// are mostly hubs, and the first neighbour of a hub is smaller than most of its others.
inline constexpr unsigned mostly_larger = 7;    // eighths of the vertices of a tile
inline constexpr unsigned small_vertices = 32;  // the first 32nd of the vertices: most of their neighbours are larger in any graph

/// In such a tile the vertices take the first neighbour of their first neighbour as their parent if that is smaller; a smaller one hooks
/// there too. No edge leads there, so this is not for hooks that are recorded.
template <class Offset, class Id>
__device__ void hook_past_larger(const Offset* offsets, const Id* targets, std::size_t base, std::size_t n, Id (&parent)[tile_vertices]) {
  if (base < n / small_vertices || !__all_sync(whole_warp, parent[0] > in_tile(base, 0))) return;
  unsigned larger = 0;
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) larger += parent[k] > in_tile(base, k);
  if (8 * __reduce_add_sync(whole_warp, larger) < mostly_larger * tile) return;
  Offset beyond[tile_vertices];
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) beyond[k] = parent[k] > in_tile(base, k) ? offsets[parent[k]] : 0;
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    if (parent[k] <= in_tile(base, k)) continue;
    const Id second = targets[beyond[k]];
    if (second < in_tile(base, k)) parent[k] = second;
  }
}

/// What is gathered: the roots, of which those of tiles are no roots of trees; or the latter only, and the vertices that have more to do.
enum class gathers { roots, tops_and_more };

/// Vertices with arcs other than the one that they hook along: where none of them can lead to a smaller vertex, the other end sees to it.
template <class Id>
struct more_arcs {
  device_list<Id> vertices;
  bool smaller_first;  ///< rows are sorted, and store both directions: a second smaller neighbour is the second target
};

// Where the L2 cache holds all parents it shall give up rows first, so that the next kernel finds the parents there. Elsewhere that gains
// nothing, and costs what neighbours in a row's line would have found.
// Measured on an H200, whose L2 cache has 60 MB: 2 to 6 % of whole solves from here down; no gain at twice as many vertices, and a loss of
// 2 % for the short rows of a mesh.
inline constexpr std::uint64_t cached_parents = std::uint64_t{5} << 20, arcs_of_long_rows = 8;

/// `sorted`: are rows? Where that is known before, `Sorted` leaves out what others need. `near_tiles` counts tiles that were flattened.
/// `recorder` records the arc that each vertex hooks along. The first `blocks` blocks share the vertices.
template <gathers What, unsigned Nearness = backend::nearness, bool Sorted = false, class Load = backend::plain_load, class Offset, class P,
          class Recorder>
__device__ void hook_first(const Offset* offsets, const typename P::id* targets, std::size_t n, bool sorted, P p,
                           device_list<typename P::id> roots, more_arcs<typename P::id> more, unsigned* near_tiles, Recorder recorder,
                           unsigned blocks) {
  using id = typename P::id;
  constexpr bool all_arcs = What == gathers::tops_and_more;
  __shared__ id up[warps_a_block][tile], stage[warps_a_block][warp_appender<id>::room],
      more_stage[all_arcs ? warps_a_block : 1][all_arcs ? warp_appender<id>::room : 1];
  const unsigned warp = threadIdx.x / warp_threads;
  warp_appender<id> gathering{stage[warp], roots}, gathering_more{more_stage[all_arcs ? warp : 0], more.vertices};
  unsigned near_seen = 0;
  const Load get;
  for (std::size_t begin = std::size_t{blockIdx.x} * tile_turns::chunk; begin < n; begin += std::size_t{blocks} * tile_turns::chunk) {
    const std::size_t base = begin + warp * tile;
    Offset first[tile_vertices], last[tile_vertices];
    id parent[tile_vertices];
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      first[k] = v < n ? get(offsets + v) : 0;
      last[k] = v < n ? get(offsets + v + 1) : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      parent[k] = first[k] < last[k] ? get(targets + first[k]) : static_cast<id>(in_tile(base, k));
    }
    if constexpr (!all_arcs) {
      if constexpr (!Sorted) {
        if (!sorted) take_least<Load>(targets, first, last, parent);
      }
      if constexpr (std::is_same_v<Recorder, backend::no_recorder>) hook_past_larger(offsets, targets, base, n, parent);
    }
    unsigned unseen = 0;
    if (all_arcs) {
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) {
        const std::size_t v = in_tile(base, k);
        const bool has_more = !more.smaller_first ? first[k] < last[k] : first[k] + 1 < last[k] && get(targets + first[k] + 1) < v;
        unseen |= static_cast<unsigned>(has_more) << k;
      }
    }
    const auto target = [&](unsigned k, unsigned a, id& to) {
      if (first[k] + a >= last[k]) return false;
      to = get(targets + first[k] + a);
      return true;
    };
    auto [near_tile, tops] = backend::hook_tile<Nearness>(base, n, true, Sorted || sorted, parent, target, recorder);
    if (near_tile) {
      tops = take_parents_of_tops(up[warp], base, parent);
      ++near_seen;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      if (v < n) p.store(static_cast<id>(v), parent[k]);
    }
    if (all_arcs) {
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) gathering_more.append((unseen >> k & 1) != 0, static_cast<id>(in_tile(base, k)));
      if (!near_tile) continue;
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      gathering.append((tops >> k & 1) != 0 && first[k] < last[k], static_cast<id>(in_tile(base, k)));
    }
  }
  gathering.flush();
  if (all_arcs) gathering_more.flush();
  if (near_seen != 0 && threadIdx.x % warp_threads == 0) atomicAdd(near_tiles, near_seen);
}

template <class Offset, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::first_hook_blocks)
    first_hook(const Offset* offsets, const typename P::id* targets, std::size_t n, bool sorted, P p, device_list<typename P::id> tops,
               more_arcs<typename P::id> more, unsigned* near_tiles, Recorder recorder) {
  backend::after_the_last();
  hook_first<gathers::tops_and_more>(offsets, targets, n, sorted, p, tops, more, near_tiles, recorder, gridDim.x);
}

/// The first hook of a solve that samples, by all blocks but the last, which foresees what follows from it, and clears the marks (null:
/// there are none). There are at least two.
template <bool Sorted, class Load, class Offset, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::first_hook_blocks)
    first_hook_and_foresight(const Offset* offsets, backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots,
                             unsigned* near_tiles, random_stream voters, decision<typename P::id>* decided, std::uint32_t* marks,
                             Recorder recorder) {
  backend::after_the_last();
  const unsigned hooking = gridDim.x - 1;
  if (blockIdx.x != hooking) {
    hook_first<gathers::roots, backend::nearness, Sorted, Load>(offsets, rows.targets, rows.vertices(), rows.sorted, p, roots, {},
                                                                near_tiles, recorder, hooking);
    return;
  }
  for (std::size_t i = threadIdx.x; marks != nullptr && i < most_marked / 32; i += backend::threads_a_block) marks[i] = 0;
  if (rows.arcs > std::uint64_t{foreseen_arcs} * rows.vertices()) return;
  const auto next = foreseen(rows, voters);
  if (threadIdx.x == 0) *decided = next;
}

// The second hook, of the roots that the first one left. Each takes the smallest parent of its first few neighbours if that is smaller than
// it: no path is walked. They were larger than the root, so they have hooked, and one whose
// smallest neighbour is another vertex leads to another tree. That alone would leave trees of middling size, each around a vertex that is
// the smallest neighbour of all that it asks: those join the trees of second neighbours, which makes one giant of them.
inline constexpr unsigned hook_arcs = 4;     // arcs of a root that are read side by side
inline constexpr unsigned mostly_roots = 5;  // eighths of the vertices; half of them are roots where rows are in no order
inline constexpr unsigned join_arcs = 2;     // to neighbours whose second neighbours it joins, a thread for each

/// Root v takes the smallest parent of the first hook_arcs neighbours of arcs [first, last), if that is smaller than v. False if none is.
/// Adds to `linked` where this links v.
template <class P, class Recorder>
__device__ bool hooks_below(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, std::uint64_t first, std::uint64_t last,
                            unsigned& linked, Recorder recorder) {
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
  if (p.cas(v, v, parent).ok) {  // fails where another has linked v
    recorder(v, {v, target});
    ++linked;
  }
  return true;
}

/// Root v joins the tree of the second neighbour of its neighbour `through`. True if this linked two trees.
template <class P, class Recorder>
__device__ bool join_second_neighbour(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, typename P::id through,
                                      Recorder recorder) {
  using id = typename P::id;
  const std::uint64_t second = rows.offsets[through] + 1;
  if (second >= rows.offsets[std::size_t{through} + 1]) return false;
  const id target = rows.targets[second];
  // Where edges count, this one is the neighbour's, which in sorted rows is the root's child by now: it is a step more.
  return join_roots(p, std::is_same_v<Recorder, backend::no_recorder> ? v : through, target, recorder, {through, target});
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
///
/// Where most vertices are roots, as where all of one side of a bipartite graph come first, the first neighbour of each is mostly a hub,
/// and is asked alone. More roots are left then, and join second neighbours, which makes a larger giant.
///
/// Returns how many of the listed vertices the calling thread linked, or found to be no roots.
template <class P, class Recorder>
__device__ unsigned hook_second(backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots, bool has_tops,
                                unsigned blocks, Recorder recorder) {
  using id = typename P::id;
  __shared__ id for_more[warps_a_block][full_warps<id>::room], for_joining[warps_a_block][full_warps<id>::room];
  const unsigned warp = threadIdx.x / warp_threads;
  full_warps<id> more{for_more[warp]}, joining{for_joining[warp]};
  unsigned linked = 0;
  const auto join_some = [&] {
    const auto [v, valid] = joining.template take<join_arcs>();  // a thread for each of its neighbours
    if (!valid || p.load(v) != v) return;
    const std::uint64_t arc = rows.offsets[v] + threadIdx.x % join_arcs;
    if (arc < rows.offsets[std::size_t{v} + 1]) linked += join_second_neighbour(rows, p, v, rows.targets[arc], recorder);
  };
  const std::size_t count = *roots.count, stride = std::size_t{blocks} * blockDim.x;
  const unsigned asked = 8 * count > mostly_roots * std::size_t{rows.vertices()} ? 1 : hook_arcs;
  const auto ask_more = [&] {
    const auto [v, valid] = more.take();
    bool joins = false;
    if (valid && p.load(v) == v) {
      const std::uint64_t first = rows.offsets[v] + asked, last = rows.offsets[std::size_t{v} + 1];
      joins = first >= last || !hooks_below(rows, p, v, first, last, linked, recorder);
    }
    joining.add(joins, v);
    while (joining.full()) join_some();
  };
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + warp * warp_threads; base < count; base += stride) {
    const std::size_t i = base + threadIdx.x % warp_threads;
    const id v = i < count ? roots.items[i] : 0;
    bool asks_more = false;
    if (i < count && has_tops && flattens_top(p, v)) {
      ++linked;
    } else if (i < count) {
      const std::uint64_t first = rows.offsets[v], last = rows.offsets[std::size_t{v} + 1];
      asks_more = !hooks_below(rows, p, v, first, last - first < asked ? last : first + asked, linked, recorder);
    }
    more.add(asks_more, v);
    if (more.full()) ask_more();
  }
  ask_more();
  while (!joining.empty()) join_some();
  return linked;
}

/// The last block votes for the giant; there are at least two blocks. It hooks nothing, and goes along the voters' paths while the others
/// work, so that when they are done few steps are left, on which the GPU waits. It waits for blocks that may begin after it: they have
/// places, as it takes one.
template <class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    second_hook(backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots, const unsigned* near_tiles,
                random_stream voters, unsigned* hooked, unsigned* linked, decision<typename P::id>* decided, Recorder recorder) {
  backend::after_the_last();
  if (decided->next != after_vote::skip_giant) return;  // foreseen
  const unsigned hooking = gridDim.x - 1;
  if (blockIdx.x != hooking) {
    add_of_block(hook_second(rows, p, roots, *near_tiles != 0, hooking, recorder), linked);
    tell_done(hooked);
    return;
  }
  const tree_counts trees{roots.count, linked};
  const auto next = decide<backend::threads_a_block, 0>(rows, p, voters, &trees, [&] { return all_done(hooked, hooking); });
  if (threadIdx.x == 0) *decided = next;
}

}  // namespace copse::fast
