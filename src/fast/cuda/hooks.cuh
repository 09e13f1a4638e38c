// The two hooks that make the giant. In the first hook every vertex takes the first neighbour of its row as its parent if that is smaller,
// by a store, so there is no contention. The same pass gathers the vertices that stay roots and have arcs: they are few (one in degree + 1
// where ids are random) and far apart, so a second pass over all vertices would leave most threads of a warp idle. In near tiles, which are
// groups of adjacent vertices of which most hook to near vertices (gpu/steps/first_hook.cuh), the hooks inside the tile are flattened, and
// the tops of the tile's trees are gathered too, to be flattened before all other vertices.
#pragma once
#include <fast/cuda/sampling.cuh>
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

/// Flattens the hooks inside a tile of adjacent vertices: where the hooks of vertex k come to the last vertex inside the tile, the top,
/// parent[k] becomes the vertex that the top hooks to. `up`: shared memory of the warp, with room for a tile. Returns a bit for each k that
/// is a top itself.
struct take_parents_of_tops {
  template <class Id>
  __device__ unsigned operator()(Id* up, std::size_t base, Id (&parent)[tile_vertices]) const {
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
};

// In an unsorted row the first target is as often larger as smaller than the row's vertex. The next few targets are mostly in the same
// sector of memory, and hooking to the smallest of them leaves fewer roots.

/// Sets parent[k] to the smallest of the first least_of targets of arcs [first[k], last[k]). Precondition: parent[k] is the first of them.
template <class Targets, class Offset, class Id>
__device__ void take_least(const Targets& targets, const Offset (&first)[tile_vertices], const Offset (&last)[tile_vertices],
                           Id (&parent)[tile_vertices]) {
#pragma unroll
  for (unsigned a = 1; a < least_of; ++a) {
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const Id target = first[k] + a < last[k] ? targets[first[k] + a] : parent[k];
      parent[k] = target < parent[k] ? target : parent[k];
    }
  }
}

// If all vertices of one side of a bipartite graph come first, hardly any of them has a smaller neighbour. Their first neighbours are
// mostly hubs of the other side. The first neighbour of a hub is smaller than most of its other neighbours, so these take it as their
// parent (hook_past_larger).
inline constexpr unsigned mostly_larger = 7;  // if 7/8 of a tile's first neighbours or more are larger, vertices hook past them
// The smallest 1/32 of the vertices do not hook past their neighbours (hook_past_larger), because most of these are larger in any graph.
inline constexpr unsigned small_vertices = 32;

/// In a tile where most first neighbours are larger than their vertices, each vertex takes the first neighbour of its first neighbour as
/// its parent, if that is smaller. No edge joins the two, so this is not for hooks that are recorded.
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

/// The vertices with arcs to unite along, other than the one that they hook along. A vertex is left out if none of these arcs can lead to a
/// smaller vertex: they are united from their other ends.
template <class Id>
struct more_arcs {
  device_list<Id> vertices;
  /// True if rows are sorted and store both directions. A vertex then has other arcs to unite along only if its second target is smaller.
  bool smaller_first;
};

// If the L2 cache holds all parents, rows are loaded in such a way that the cache evicts them first, and the next kernel finds the parents
// there. In larger graphs this gains nothing, and loses the cache hits of adjacent rows that share a line. Measured on an H200, whose L2
// cache has 60 MB: whole solves are 2 to 6 % faster up to this many vertices, and no faster at twice as many; they are 2 % slower for the
// short rows of a mesh.
inline constexpr std::uint64_t cached_parents = std::uint64_t{5} << 20, arcs_of_long_rows = 8;

/// Rows as the first hook reads them: with offsets of a type known at compile time, and by loads of one kind.
template <class Load, class Offset, class Id>
struct loaded_rows {
  backend::loaded_array<Load, Offset> offsets;
  backend::loaded_array<Load, Id> targets;
  std::size_t count;
  bool sorted;
  [[nodiscard]] __device__ std::size_t vertices() const { return count; }
};

/// The first hook, which lists the vertices that stay roots, and the tops of near tiles. A near tile is a group of adjacent vertices of
/// which at least half have a near parent (backend::near_reach); its tops are the vertices that hook to none inside the tile. Adds the
/// number of near tiles to `*near_tiles`. `Sorted`: true if rows are known at compile time to be sorted; leaves out the code for unsorted
/// rows. `recorder` records the arc that each vertex hooks along. The first `blocks` blocks of the grid share the vertices.
template <bool Sorted = false, class Load = backend::plain_load, class Offset, class P, class Recorder>
__device__ void hook_first(const Offset* offsets, const backend::any_rows<typename P::id>& rows, P p, device_list<typename P::id> roots,
                           unsigned* near_tiles, Recorder recorder, unsigned blocks) {
  const std::size_t n = rows.vertices();
  const loaded_rows<Load, Offset, typename P::id> loaded{{offsets}, {rows.targets}, n, Sorted || rows.sorted};
  const auto find_smaller = [&](std::size_t base, const auto& first, const auto& last, auto& parent) {
    if (!loaded.sorted) take_least(loaded.targets, first, last, parent);
    if constexpr (std::is_same_v<Recorder, backend::no_recorder>) hook_past_larger(offsets, rows.targets, base, n, parent);
  };
  backend::hook_tiles(loaded, p, backend::near_reach(n), roots, near_tiles, take_parents_of_tops{}, recorder, blocks, find_smaller);
}

/// The first hook of a solve that unites all arcs. It lists the tops of near tiles, and in `more` the vertices that have more arcs to unite
/// along. The first `blocks` blocks of the grid share the vertices.
template <class Offset, class P, class Recorder>
__device__ void hook_and_list(const Offset* offsets, const backend::any_rows<typename P::id>& rows, P p, device_list<typename P::id> tops,
                              more_arcs<typename P::id> more, unsigned* near_tiles, Recorder recorder, unsigned blocks) {
  using id = typename P::id;
  __shared__ id stage[warps_a_block][warp_appender<id>::room];
  warp_appender<id> gathering{stage[threadIdx.x / warp_threads], more.vertices};
  const auto gather_more = [&](std::size_t base, const auto& first, const auto& last, const auto& /*parent*/) {
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      const bool has_more = !more.smaller_first ? first[k] < last[k] : first[k] + 1 < last[k] && rows.targets[first[k] + 1] < v;
      gathering.append(has_more, static_cast<id>(v));
    }
  };
  const loaded_rows<backend::plain_load, Offset, id> loaded{{offsets}, {rows.targets}, rows.vertices(), rows.sorted};
  backend::hook_tiles<true>(loaded, p, backend::near_reach(loaded.count), tops, near_tiles, take_parents_of_tops{}, recorder, blocks,
                            gather_more);
  gathering.flush();
}

/// Makes every vertex a tree of its own. The first `blocks` blocks of the grid share the vertices.
template <class P>
__device__ void plant_all(P p, std::size_t n, unsigned blocks) {
  const std::size_t stride = std::size_t{blocks} * blockDim.x;
  for (std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; v < n; v += stride) {
    p.store(static_cast<typename P::id>(v), p.root(static_cast<typename P::id>(v)));
  }
}

/// The first kernel of a solve: hooks, or plants the vertices if arcs are to be united from single vertices on. If a sample of the rows
/// decides that, the first blocks take it, because a GPU begins blocks in order, and the others wait for it. The last block
/// foresees how the solve should go on after hooks, and clears `marks` (null if there are none). Precondition: the grid has at least two
/// blocks.
template <begins Begins, bool Sorted, class Load, class Offset, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::first_hook_blocks)
    first_pass(const Offset* offsets, backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots,
               more_arcs<typename P::id> more, random_stream voters, sampling how, gpu_counters<typename P::id>* counters,
               std::uint32_t* marks, Recorder recorder) {
  backend::after_the_last();
  const unsigned hooking = gridDim.x - 1;
  course next = Begins == begins::with_lists ? course::unite_listed : course::skip_giant;
  if constexpr (Begins == begins::by_sample) {
    const unsigned samplers = hooking < most_samplers ? hooking : most_samplers;
    if (blockIdx.x < samplers && threadIdx.x < warp_threads) sample_rows(rows, how.seed, samplers, counters);
    next = planned_course(rows, how.forest, samplers, counters);
  }
  if (blockIdx.x != hooking) {
    if (Begins != begins::with_lists && next == course::skip_giant)
      hook_first<Sorted, Load>(offsets, rows, p, roots, &counters->near_tiles, recorder, hooking);
    if (Begins != begins::with_hooks && next == course::unite_listed)
      hook_and_list(offsets, rows, p, roots, more, &counters->near_tiles, recorder, hooking);
    if (Begins == begins::by_sample && starts_single(next)) plant_all(p, rows.vertices(), hooking);
    return;
  }
  for (std::size_t i = threadIdx.x; marks != nullptr && i < most_marked / 32; i += backend::threads_a_block) marks[i] = 0;
  decision<typename P::id> decided{no_vertex<typename P::id>, next};
  if (next == course::skip_giant) {
    if (rows.arcs > std::uint64_t{foreseen_arcs} * rows.vertices()) return;
    if constexpr (Begins == begins::with_hooks) decided = foreseen(rows, voters, sample_of_block(rows, how.seed));
    if constexpr (Begins == begins::by_sample) decided = foreseen(rows, voters, counters->sample);
  }
  if (threadIdx.x == 0) counters->decided.first = decided;
}

// The second hook, of the roots that the first one left. Each root takes the smallest parent of its first few neighbours as its parent,
// if that is smaller than the root; no path is walked. These neighbours are larger than the root, so each of them has hooked, and a
// neighbour whose own smallest neighbour is another vertex leads to another tree. That alone would leave trees of medium size, each
// around a vertex that is the smallest neighbour of all the neighbours that it asks. Such roots join the trees of their neighbours'
// second neighbours, which unites those trees into one giant.
inline constexpr unsigned hook_arcs = 4;  // number of a root's arcs that are read at once
// If more than mostly_roots eighths of the vertices are roots, each root asks only one neighbour at first. (Half of the vertices are roots
// if rows are unsorted.)
inline constexpr unsigned mostly_roots = 5;
inline constexpr unsigned join_arcs = 2;  // neighbours through which a root tries to join other trees, a thread for each

/// Hooks root v to the smallest parent of its first hook_arcs neighbours in arcs [first, last), if that parent is smaller than v. Returns
/// false if none is smaller. Increments `linked` if this call links v.
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
  if (p.cas(v, v, parent).ok) {  // fails if another thread has linked v
    recorder(v, {v, target});
    ++linked;
  }
  return true;
}

/// Joins root v to the tree of the second neighbour of its neighbour `through`. Returns true if this linked two trees.
template <class P, class Recorder>
__device__ bool join_second_neighbour(const backend::any_rows<typename P::id>& rows, P p, typename P::id v, typename P::id through,
                                      Recorder recorder) {
  using id = typename P::id;
  const std::uint64_t second = rows.offsets[through] + 1;
  if (second >= rows.offsets[std::size_t{through} + 1]) return false;
  const id target = rows.targets[second];
  // A recorded edge must join the trees of its own ends, so with a recorder the walk begins at `through`. In sorted rows `through` is a
  // child of v by now, so that this takes one step more.
  return join_roots(p, std::is_same_v<Recorder, backend::no_recorder> ? v : through, target, recorder, {through, target});
}

/// Points the listed vertex v at its root. Returns false if v is a root itself. Listed vertices that are not roots are on long paths: the
/// tops of near tiles, which are groups of adjacent vertices that mostly hook to near vertices (gpu/steps/first_hook.cuh).
template <class P>
__device__ bool flattens_top(P p, typename P::id v) {
  const auto parent = p.load(v);
  if (parent == v) return false;
  const auto root = patient<0>{}(p, parent);
  if (root != parent) p.store(v, root);
  return true;
}

/// Hooks the listed roots. Roots that find no smaller tree through their first few neighbours ask the next few, and then join the trees of
/// second neighbours. A warp collects roots for each of these steps until all of its threads have one, because a few in each warp would
/// keep the other threads waiting. `blocks` blocks share the list.
///
/// If most vertices are roots, as when all vertices of one side of a bipartite graph come first, the first neighbour of each root is mostly
/// a hub, and at first only that one is asked. More roots are left then, and join second neighbours, which makes a larger giant.
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
    const auto [v, valid] = joining.template take<join_arcs>();  // a thread for each of the vertex's first join_arcs neighbours
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

/// The second kernel of a solve: the second hook; or what has to be done before arcs are united, if all of them are. Its last block votes
/// for the giant. That block hooks nothing, and climbs the voters' paths while the other blocks work, so that few steps are left when they
/// have finished, while the GPU waits for the vote. It may wait for blocks that begin after it, which cannot deadlock, because it occupies
/// the place of one block only. Precondition: the grid has at least two blocks.
template <class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    second_pass(backend::any_rows<typename P::id> rows, P p, device_list<typename P::id> roots, random_stream voters,
                gpu_counters<typename P::id>* counters, Recorder recorder) {
  backend::after_the_last();
  decision<typename P::id>* const decided = &counters->decided.first;
  const course next = decided->next;
  const bool has_tops = counters->near_tiles != 0;
  if (next == course::unite_listed && has_tops) flatten_listed(p, roots, blockIdx.x, gridDim.x);
  if (next != course::skip_giant) return;
  const unsigned hooking = gridDim.x - 1;
  if (blockIdx.x != hooking) {
    add_of_block(hook_second(rows, p, roots, has_tops, hooking, recorder), &counters->linked);
    tell_done(&counters->hooked);
    return;
  }
  const tree_counts trees{roots.count, &counters->linked};
  const auto voted = decide<backend::threads_a_block, 0>(rows, p, voters, &trees, [&] { return all_done(&counters->hooked, hooking); });
  if (threadIdx.x == 0) *decided = voted;
}

}  // namespace copse::fast
