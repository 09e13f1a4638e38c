// Points every vertex at its root. A thread walks from several vertices at once, so that several loads are in flight.
//
// Once no thread links any more, most paths are one or two steps long and some are long. If a warp walked until its longest path ends,
// most of its threads would idle, so the walks that are not over after a few steps are collected for full warps. A walk normally ends by
// loading the root's own parent, which is one more fetch per vertex. Parents are smaller than their children, so if vertices are flattened
// part by part, a parent in an earlier part is known to point at its root, and that fetch is not needed.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/types.hpp>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/workspace.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/roots.cuh>

#include <cstddef>

namespace copse::fast {

// One bit for each of the smallest vertices, set if that vertex is in the giant. Where most parents are small, as in graphs whose hubs
// come first, threads load the parents of the same few vertices all the time, and yet these are more than the L1 cache holds. One bit for
// each of them fits. The bits are set by the blocks that flatten the smallest vertices, which begin first, and read by the blocks that
// flatten the others. Where a bit is not visible yet, the parent is loaded, as without bits.
class giant_marks {
public:
  /// `words`: all zero when the kernel begins.
  explicit __device__ giant_marks(std::uint32_t* words) : words_{words} {}

  [[nodiscard]] __device__ bool are_read_in(std::size_t tile_base) const { return tile_base >= most_marked; }
  [[nodiscard]] __device__ bool has(std::size_t v) const { return v < most_marked && (words_[v / 32] >> v % 32 & 1) != 0; }
  /// Sets the bits of vertices [base, base + 32). Each thread of the warp passes whether its own vertex is in the giant.
  __device__ void set(std::size_t base, bool in_giant) const {
    if (base >= most_marked) return;
    const unsigned members = __ballot_sync(whole_warp, in_giant);
    if (threadIdx.x % warp_threads == 0) words_[base / 32] = members;
  }

private:
  std::uint32_t* words_;
};
/// Used in place of giant_marks, the bits of the small vertices that are in the giant, where setting and reading these would not pay: no
/// vertex has a bit.
struct no_marks {
  [[nodiscard]] __device__ bool are_read_in(std::size_t) const { return false; }
  [[nodiscard]] __device__ bool has(std::size_t) const { return false; }
  __device__ void set(std::size_t, bool) const {}
};

/// Finds the roots of the calling thread's vertices in a tile, and stores those that are not the parents already. The stores are plain:
/// other threads shorten paths by atomic minima, so none of them undoes a store. A walk that reaches `giant` ends there, even if `giant` is
/// no longer a root.
template <class Marks, class P>
__device__ void flatten_tile_of_trees(P p, std::size_t base, std::size_t n, typename P::id giant, Marks marks,
                                      typename P::id (&root)[tile_vertices]) {
  using id = typename P::id;
  constexpr unsigned together = 16;  // steps that the walks take side by side; few paths are longer
  id parent[tile_vertices];
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const std::size_t v = in_tile(base, k);
    root[k] = parent[k] = p.load(static_cast<id>(v < n ? v : 0));
  }
  if (marks.are_read_in(base)) {
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      if (marks.has(parent[k])) root[k] = giant;
    }
  }
  bool climbs = true;
  for (unsigned step = 0; climbs && step < together; ++step) {
    id above[tile_vertices];
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) above[k] = root[k] != giant ? p.load(root[k]) : giant;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      climbs |= above[k] != root[k] && above[k] != giant;
      root[k] = above[k];
    }
  }
#pragma unroll
  for (unsigned k = 0; k < tile_vertices; ++k) {
    const std::size_t v = in_tile(base, k);
    if (climbs && root[k] != giant) root[k] = patient<0>{}(p, root[k]);
    if (v < n && root[k] != parent[k]) p.store(static_cast<id>(v), root[k]);
    marks.set(base + k * warp_threads, root[k] == giant);
  }
}

// Flattening is done in at most this many parts of the vertices, one after the other: more parts gain nothing (measured on an H200).
inline constexpr std::size_t most_flat_parts = 3;
// A thread takes this many steps of each of its walks. Longer walks then wait until there are enough to occupy a warp.
inline constexpr unsigned steps_in_common = 2;

/// A vertex, and how far the walk from it has come.
template <class Id>
struct walker {
  Id v, at;
};

/// Points vertices [begin, end) at their roots. Precondition: the parents of all vertices before `begin` are roots, so that a walk that
/// reaches such a vertex needs one step more, and no load to see that it has come to a root.
template <class P>
__device__ void flatten(P p, std::size_t begin, std::size_t end) {
  using id = typename P::id;
  __shared__ walker<id> waiting[warps_a_block][full_warps<walker<id>>::room];
  full_warps<walker<id>> walkers{waiting[threadIdx.x / warp_threads]};
  const id flat = static_cast<id>(begin);
  const auto walk_to_roots = [&] {
    const auto [one, valid] = walkers.take();
    if (!valid) return;
    id at = one.at;
    for (unsigned step = 0;; ++step) {
      if (step == long_path) {
        at = backend::jump_to_root(p, one.v, at);
        break;
      }
      const id below = at;
      at = p.load(below);
      if (below < flat || at == below) break;
    }
    p.store(one.v, at);
  };
  for (tile_turns turn{end - begin}; turn.more(); turn.next()) {
    const std::size_t base = begin + turn.base();
    id parent[tile_vertices], root[tile_vertices];
    unsigned climbs = 0;  // bit k is set while the walk of vertex k goes on
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      const std::size_t v = in_tile(base, k);
      root[k] = parent[k] = v < end ? p.load(static_cast<id>(v)) : 0;
      climbs |= static_cast<unsigned>(v < end && parent[k] != v) << k;
    }
#pragma unroll
    for (unsigned step = 0; step < steps_in_common; ++step) {
      id above[tile_vertices];
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) above[k] = (climbs >> k & 1) != 0 ? p.load(root[k]) : root[k];
#pragma unroll
      for (unsigned k = 0; k < tile_vertices; ++k) {
        if (root[k] < flat || above[k] == root[k]) climbs &= ~(1u << k);
        root[k] = above[k];
      }
    }
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      if ((climbs >> k & 1) == 0 && root[k] != parent[k]) p.store(static_cast<id>(in_tile(base, k)), root[k]);
    }
    if (!__any_sync(whole_warp, climbs != 0)) continue;
#pragma unroll
    for (unsigned k = 0; k < tile_vertices; ++k) {
      walkers.add((climbs >> k & 1) != 0, {static_cast<id>(in_tile(base, k)), root[k]});
      if (walkers.full()) walk_to_roots();
    }
  }
  walk_to_roots();
}

/// Points vertex_of(0), ..., vertex_of(count - 1) at their roots, one in each thread.
template <class P, class VertexOf>
__device__ void flatten_one_by_one(P p, std::size_t count, VertexOf vertex_of) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto v = vertex_of(i), parent = p.load(v);
    auto root = parent;
    bool is_root = false;
    for (unsigned step = 0; step < long_path && !is_root; ++step) {
      const auto above = p.load(root);
      is_root = above == root;
      root = above;
    }
    if (!is_root) {
      backend::jump_to_root(p, v, root);
    } else if (root != parent) {
      p.store(v, root);
    }
  }
}

/// Points the vertices that were outside the giant at their roots. All others point at the giant's root, and stay as they are, unless a
/// smaller vertex joined the giant and is its root now: then all vertices are walked from. They are also walked from if no giant was
/// skipped, except after a check that found nothing to join (`joined` is 0, and there were no `parts`), when every vertex points at its
/// root already.
template <class P>
__device__ void label_outside(P p, std::size_t n, const decision<typename P::id>& decided, device_list<typename P::id> outside,
                              const gpu_counters<typename P::id>& counters) {
  using id = typename P::id;
  const bool skipped = decided.next == course::skip_giant;
  if (!skipped && counters.joined == 0 && counters.parts == 0) return;
  const bool moved = !skipped || p.load(decided.giant) != decided.giant;
  flatten_one_by_one(p, moved ? n : *outside.count, [&](std::size_t i) { return moved ? static_cast<id>(i) : outside.items[i]; });
}

// In graphs of at most this many vertices each thread flattens one, so that not all of them are in flight at once, and most find paths that
// others have shortened.
inline constexpr std::size_t most_one_by_one = std::size_t{1} << 21;
/// True if vertices [begin, end) of n are flattened one by one.
COPSE_HOST_DEVICE inline bool flattens_one_by_one(std::size_t n, std::size_t begin, std::size_t end) {
  return n <= most_one_by_one && end - begin == n;
}

/// The last pass, over vertices [begin, end) if all arcs were united, and otherwise over all that need it, if `begin` is 0.
template <class P>
__global__ void __launch_bounds__(backend::threads_a_block, backend::blocks_a_multiprocessor)
    last_pass(P p, std::size_t n, std::size_t begin, std::size_t end, device_list<typename P::id> outside,
              const gpu_counters<typename P::id>* counters) {
  backend::after_the_last();
  const auto decided = counters->decided.last();
  if (!unites_all(decided.next)) {
    if (begin == 0) label_outside(p, n, decided, outside, *counters);
  } else if (flattens_one_by_one(n, begin, end)) {
    flatten_one_by_one(p, n, [](std::size_t i) { return static_cast<typename P::id>(i); });
  } else {
    flatten(p, begin, end);
  }
}

}  // namespace copse::fast
