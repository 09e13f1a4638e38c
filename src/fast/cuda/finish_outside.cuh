// Flattens trees, and visits the arcs of the vertices outside the giant. A block flattens a chunk of vertices, gathers those outside the
// giant, and divides their rows: first one thread per vertex walks a few arcs; then one warp per row walks the rest of a longer row; the
// rest of a very long row goes in parts to a list, for all warps of a second kernel. A thread stops walking a row when the row's vertex has
// joined the giant. An edge is missed only if both of its ends stopped before it, and then both are in the giant, which no vertex ever
// leaves.
//
// If hooks make no giant, as on lattices with random ids, the first kernel instead unites along the last arcs of as many vertices as the
// vote or a sample of rows says, and votes again; the second kernel then does the work above. If there is still no giant, or if trees are
// nearly components, the second kernel checks all arcs (check_rows.cuh). If it was foreseen that no giant forms, the first kernel unites
// along all arcs without flattening (unite_rows.cuh). Whenever the first kernel knows when it begins that no giant is skipped and no second
// vote follows, it lists long rows for the second kernel.
#pragma once
#include <copse/extend/rules/unite/async.hpp>
#include <copse/types.hpp>
#include <core/random.hpp>
#include <fast/cuda/check_rows.cuh>
#include <fast/cuda/flatten.cuh>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/unite_rows.cuh>
#include <fast/cuda/vote.cuh>
#include <fast/cuda/workspace.hpp>
#include <gpu/runtime/launch.cuh>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::fast {

// A thread walks the first thread_arcs arcs of a row, and a warp walks the others. If these are more than warp_arcs, they can be cut into
// parts of that many, for several warps.
inline constexpr unsigned thread_arcs = 16;

/// Walks along the rows of vertices outside the giant.
template <class Unite, class P, class Recorder = backend::no_recorder>
struct outside_walk {
  using id = typename P::id;
  backend::any_rows<id> rows;
  P p;
  id giant;
  Recorder recorder = {};

  __device__ bool among_giant(id root) const { return root == giant || (giant != no_vertex<id> && root == p.load(giant)); }
  /// True if the arc from v to `target` is skipped, because it is united from the row of `target`. That happens only if no giant is
  /// skipped.
  __device__ bool others(id v, id target) const { return giant == no_vertex<id> && rows.symmetric && target >= v; }

  /// Unites along the arcs of v from `a` to `last`, in steps of `stride`, until v is in the giant. Returns whether it is.
  __device__ bool walk(id v, std::uint64_t a, std::uint64_t last, unsigned stride) const {
    id root = patient<long_path>{}(p, v);
    for (; a < last; a += stride) {
      if (among_giant(root)) return true;
      const id target = rows.targets[a];
      if (!others(v, target)) root = backend::unite_and_note<Unite>(p, root, target, recorder, {v, target});
    }
    return among_giant(root);
  }
};

/// The vertices whose rows a block walks in its current chunk of adjacent vertices, as indices into the chunk. `outside`: all of them;
/// `longer`: those whose rows are left to whole warps.
struct chunk_places {
  std::uint16_t outside[tile_turns::chunk], longer[tile_turns::chunk];
  /// The lengths of `outside` and `longer`. The first has two counters, which chunks use in turn: a thread may begin the next chunk while
  /// others still read the counter of this one.
  unsigned outside_count[2], longer_count;
  unsigned first;  ///< index in the list of all blocks at which the vertices of `outside` begin
};
/// Returns the chunk_places of the calling block, one object in shared memory for all functions of a kernel that finish chunks.
__device__ inline chunk_places& places_of_block() {
  __shared__ chunk_places places;
  return places;
}

/// Flattens the calling block's chunks and walks the rows outside the giant. `outside` collects the vertices outside the giant that have
/// arcs, and `parts` the rest of very long rows. If parts.items is null, warps walk very long rows to the end.
template <class Unite, class P, class Recorder, class Marks = no_marks>
__device__ void finish_chunks(const outside_walk<Unite, P, Recorder>& arcs, device_list<typename P::id> outside,
                              device_list<row_part<typename P::id>> parts, Marks marks = {}) {
  using id = typename P::id;
  chunk_places& places = places_of_block();
  unsigned parity = 0;
  const auto& rows = arcs.rows;
  const std::size_t n = rows.vertices();
  for (tile_turns turn{n}; turn.more(); turn.next()) {
    const std::size_t begin = turn.begin(), base = turn.base();
    if (threadIdx.x == 0) places.outside_count[parity] = places.longer_count = 0;
    id root[tile_vertices];
    flatten_tile_of_trees(arcs.p, base, n, arcs.giant, marks, root);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      const bool takes = v < n && root[k] != arcs.giant && rows.degree(static_cast<id>(v)) != 0;
      const unsigned place = place_for(places.outside_count + parity, takes);
      if (takes) places.outside[place] = static_cast<std::uint16_t>(v - begin);
    }
    __syncthreads();
    const unsigned count = places.outside_count[parity];
    parity ^= 1;
    if (count == 0) continue;
    if (threadIdx.x == 0) places.first = atomicAdd(outside.count, count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += backend::threads_a_block) {
      const id v = static_cast<id>(begin + places.outside[i]);
      outside.items[places.first + i] = v;
      const std::uint64_t first = rows.offsets[v], last = rows.offsets[std::size_t{v} + 1];
      const std::uint64_t stop = last - first > thread_arcs ? first + thread_arcs : last;
      if (arcs.walk(v, first, stop, 1) || stop == last) continue;
      if (last - stop <= warp_arcs || parts.items == nullptr) {
        places.longer[atomicAdd(&places.longer_count, 1u)] = places.outside[i];
      } else {
        cut(v, stop, last, parts);
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x / warp_threads; i < places.longer_count; i += warps_a_block) {
      const id v = static_cast<id>(begin + places.longer[i]);
      arcs.walk(v, rows.offsets[v] + thread_arcs + threadIdx.x % warp_threads, rows.offsets[std::size_t{v} + 1], warp_threads);
      __syncwarp();
    }
    __syncthreads();
  }
}

template <class Unite, class P, class Recorder>
__device__ void walk_parts(const outside_walk<Unite, P, Recorder>& arcs, device_list<row_part<typename P::id>> parts) {
  const unsigned count = *parts.count, warps = gridDim.x * warps_a_block;
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / warp_threads; i < count; i += warps) {
    const auto part = parts.items[i];
    arcs.walk(part.v, part.first + threadIdx.x % warp_threads, part.first + part.arcs, warp_threads);
    __syncwarp();
  }
}

/// Adds the rows of more than tile_row_arcs arcs to `parts`, each cut into several parts, which the warps of a later kernel walk.
template <class Id>
__device__ void cut_long_rows(const backend::any_rows<Id>& rows, device_list<row_part<Id>> parts) {
  const std::size_t n = rows.vertices(), stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; v < n; v += stride) {
    const std::uint64_t first = rows.offsets[v], last = rows.offsets[v + 1];
    if (last - first > tile_row_arcs) cut(static_cast<Id>(v), first, last, parts);
  }
}

/// Checks all arcs, by the warps of all blocks: unites the ends of an arc if they are in two trees. Long rows are cut into `parts`; if
/// `parts` has no array, warps walk them at once. If `were_cut`, long rows are left out, because they were cut before.
template <unsigned AtOnce, class Unite, class P, class Recorder>
__device__ void check_all(const outside_walk<Unite, P, Recorder>& arcs, bool compares, bool were_cut,
                          device_list<row_part<typename P::id>> parts, unsigned* joined) {
  using id = typename P::id;
  __shared__ warp_rows<id> kept[warps_a_block];
  const unsigned warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  row_checks<Unite, AtOnce, P, Recorder> checks{arcs.rows, arcs.p, arcs.recorder, compares, kept[warp]};
  bool walked = false;
  const std::size_t n = arcs.rows.vertices(), stride = std::size_t{gridDim.x} * backend::threads_a_block;
  const std::size_t begin = std::size_t{blockIdx.x} * backend::threads_a_block + warp * warp_threads;
  auto next = checks.load(begin);
  for (std::size_t base = begin; base < n; base += stride) {
    const auto row = next;
    next = checks.load(base + stride);
    checks.check(row);
    checks.expect(next);
    if (were_cut) continue;
    if (parts.items != nullptr) {
      if (row.is_long()) cut(row.v, row.first, row.last, parts);
      continue;
    }
    for (unsigned left = __ballot_sync(whole_warp, row.is_long()); left != 0; left &= left - 1) {
      const std::size_t v = base + static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
      arcs.walk(static_cast<id>(v), arcs.rows.offsets[v] + lane, arcs.rows.offsets[v + 1], warp_threads);
      walked = true;
      __syncwarp();
    }
  }
  checks.finish();
  const bool found = __any_sync(whole_warp, walked || checks.found_others());
  if (found && lane == 0) ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>{*joined}.store(1, ::cuda::memory_order_relaxed);
}

/// Unites along the last arc of every vertex in one of every `spacing` tiles, which are groups of consecutive vertices. The first hook took
/// the smallest neighbour, and the largest one is more often in another tree.
template <class Unite, class P, class Recorder>
__device__ void unite_last_arcs(const outside_walk<Unite, P, Recorder>& arcs, unsigned spacing) {
  using id = typename P::id;
  const auto& rows = arcs.rows;
  const std::size_t n = rows.vertices(), tiles = (n + tile - 1) / tile, warps = std::size_t{gridDim.x} * warps_a_block;
  for (std::size_t i = std::size_t{blockIdx.x} * warps_a_block + threadIdx.x / warp_threads; i * spacing < tiles; i += warps) {
    const std::size_t base = (i * spacing + mix(i) % spacing) * tile;
    id target[tile_vertices];
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      const std::uint64_t first = v < n ? rows.offsets[v] : 0, last = v < n ? rows.offsets[v + 1] : 0;
      target[k] = first < last ? rows.targets[last - 1] : static_cast<id>(v);
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const id v = static_cast<id>(in_tile(base, k));
      if (target[k] != v)
        backend::unite_and_note<side_by_side<2 * long_path, unite::async<patient<0>>>>(arcs.p, v, target[k], arcs.recorder, {v, target[k]});
    }
  }
}

template <class Unite, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    finish_outside(backend::any_rows<typename P::id> rows, P p, decisions<typename P::id>* decided, device_list<typename P::id> outside,
                   device_list<typename P::id> more, device_list<row_part<typename P::id>> parts, random_stream voters, unsigned* united,
                   std::uint32_t* mark_words, Recorder recorder) {
  backend::after_the_last();
  const auto [giant, next, spacing, marks] = decided->first;
  const outside_walk<Unite, P, Recorder> arcs{rows, p, giant, recorder};
  if (next == course::skip_giant) {
    return marks ? finish_chunks(arcs, outside, parts, giant_marks{mark_words}) : finish_chunks(arcs, outside, parts);
  }
  if (unites_all(next)) return unite_all(rows, p, next, more, parts, recorder);
  if (next != course::top_up) return cut_long_rows(rows, parts);
  unite_last_arcs(arcs, spacing);
  if (!last_block(united)) return;
  const auto late = decide<backend::threads_a_block, 0>(rows, p, voters, nullptr);
  if (threadIdx.x == 0) decided->late = late;
}

inline constexpr unsigned checked_at_once = 4;  // arcs that a thread checks at a time
inline constexpr unsigned rest_blocks = 5;      // blocks per multiprocessor: fewer than elsewhere, as a check needs more registers

template <class Unite, class P, class Recorder>
__global__ void __launch_bounds__(backend::threads_a_block, rest_blocks)
    finish_rest(backend::any_rows<typename P::id> rows, P p, const decisions<typename P::id>* decided, device_list<typename P::id> outside,
                device_list<row_part<typename P::id>> parts, unsigned* joined, Recorder recorder) {
  backend::after_the_last();
  const bool is_late = decided->first.next == course::top_up;
  const auto [giant, next, spacing, marks] = decided->last();
  const outside_walk<Unite, P, Recorder> arcs{rows, p, giant, recorder};
  if (next == course::check || next == course::compare_rows) {
    check_all<checked_at_once>(arcs, next == course::compare_rows, !is_late, {}, joined);
  } else if (is_late) {
    finish_chunks(arcs, outside, {});
  }
  if (!is_late) walk_parts(arcs, parts);
}

}  // namespace copse::fast
