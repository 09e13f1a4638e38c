// Visits the arcs of the vertices outside the giant, on a GPU, where only the GPU knows the giant. There are three kernels: the first takes
// all vertices to their roots and lists those outside the giant; the second walks the listed rows, by one thread per row for the first arcs
// and by a warp for the rest; the third walks the pieces of long rows. A thread that reaches the giant leaves its row. An edge is skipped
// only if both of its ends do so, and then both are in the giant, which they never leave. Without a giant every vertex visits its arcs to
// smaller vertices, each edge once.
//
// Flattening is a separate kernel because rules shorten paths by storing ancestors that they read earlier. While rules run, a vertex that
// points to the giant's root could be made to point to a lower ancestor again, which is not its label. Once all vertices of the giant point
// to its root, no find has a path there to shorten, unless the giant joins a smaller tree; in that case all labels are computed again.
#pragma once
#include <copse/types.hpp>
#include <gpu/loops/row_walks.cuh>
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/device_list.cuh>
#include <gpu/steps/roots.cuh>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace copse::backend {

inline constexpr unsigned outside_arcs = 16;     // the arcs of a row that one thread walks before a warp takes over
inline constexpr unsigned outside_vertices = 4;  // vertices that a thread takes at a time
inline constexpr std::size_t outside_span = outside_vertices * threads_a_block, outside_chunk = 4 * outside_span;

/// Finds the roots of all vertices, which become their parents if facts.flattens is set, and lists the vertices outside the giant that
/// have arcs. Blocks begin in order and take adjacent vertices, so that most smaller vertices, to which paths lead, are flat when a
/// block begins.
template <class Id, class P>
__global__ void __launch_bounds__(threads_a_block, blocks_a_multiprocessor) list_outside(any_rows<Id> rows, P p, device_facts<Id> facts) {
  after_the_last();
  __shared__ Id kept[warps_a_block][warp_appender<Id>::room];
  warp_appender<Id> listing{kept[threadIdx.x / warp_threads], {facts.outside, facts.outside_count}};
  const std::size_t n = rows.vertices();
  const Id giant = *facts.giant;
  for (std::size_t chunk = std::size_t{blockIdx.x} * outside_chunk; chunk < n; chunk += std::size_t{gridDim.x} * outside_chunk) {
    for (std::size_t base = chunk; base < chunk + outside_chunk && base < n; base += outside_span) {
      Id root[outside_vertices];
      roots_of(p, base + threadIdx.x, threads_a_block, n, facts.flattens, root);
#pragma unroll
      for (unsigned k = 0; k < outside_vertices; ++k) {
        const std::size_t v = base + k * threads_a_block + threadIdx.x;
        listing.append(v < n && root[k] != giant && rows.degree(static_cast<Id>(v)) != 0, static_cast<Id>(v));
      }
    }
  }
  listing.flush();
}

/// Visits the arcs of the vertices that list_outside has listed, those outside the giant: the first arcs of a row by one thread, the rest
/// by a warp, and long rows are cut into `pieces` for the next kernel. `walk` is a visit_walk.
template <class Id, class Walk>
__global__ void __launch_bounds__(threads_a_block) walk_outside(Walk walk, piece_list<Id> pieces) {
  after_the_last();
  __shared__ Id longer_rows[threads_a_block];
  __shared__ unsigned longer_count;
  const auto& rows = walk.steps.rows;
  const std::size_t count = *walk.facts.outside_count, stride = std::size_t{gridDim.x} * threads_a_block;
  for (std::size_t base = std::size_t{blockIdx.x} * threads_a_block; base < count; base += stride) {
    if (threadIdx.x == 0) longer_count = 0;
    __syncthreads();
    if (base + threadIdx.x < count) {
      const Id v = walk.facts.outside[base + threadIdx.x];
      const std::uint64_t last = rows.offsets[std::size_t{v} + 1], joined = rows.offsets[v] + walk.joined_arcs;
      const std::uint64_t first = joined < last ? joined : last, stop = last - first > outside_arcs ? first + outside_arcs : last;
      if (!walk.along(v, first, stop, 1) && stop < last) {
        if (last - stop < long_row_arcs) {
          longer_rows[atomicAdd(&longer_count, 1u)] = v;
        } else {
          pieces.cut(v, stop, last);
        }
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x / warp_threads; i < longer_count; i += warps_a_block) {
      const Id v = longer_rows[i];
      const std::uint64_t first = rows.offsets[v] + walk.joined_arcs + outside_arcs, last = rows.offsets[std::size_t{v} + 1];
      walk.along(v, first + threadIdx.x % warp_threads, last, warp_threads);
      __syncwarp();
    }
    __syncthreads();
  }
}

/// Returns an accessor of the same parents as `p` whose loads may be stale, because they may be served by the L1 cache; `p` itself if its
/// type offers no such accessor.
template <class P>
auto seen_before(P p) {
  if constexpr (requires { p.as_cached(); }) {
    return p.as_cached();
  } else {
    return p;
  }
}

/// Lists the vertices outside the giant, walks their rows, and walks the pieces of their long rows, by one kernel each, for a graph of
/// `arcs` arcs.
template <class Id, class Walk>
void walk_all_outside(const cuda& loops, std::uint64_t arcs, Walk walk) {
  const piece_buffers<Id> pieces{loops, arcs, walk.facts.pieces};
  const auto p = seen_before(walk.label.p);
  using parents_type = std::remove_const_t<decltype(p)>;
  loops.before_launch();
  launch_after(loops, loops.blocks_in_order((walk.count + outside_chunk - 1) / outside_chunk), threads_a_block,
               list_outside<Id, parents_type>, walk.steps.rows, p, walk.facts);
  loops.launched();
  launch_after(loops, loops.places(), threads_a_block, walk_outside<Id, Walk>, walk, pieces.list());
  loops.launched();
  pieces.walk(loops, walk);
}

}  // namespace copse::backend
