// visit() on a GPU: selects the arcs that a pass visits, and the loop that visits them (row_walks.cuh by the length of rows; outside.cuh
// where only vertices outside the giant walk their rows).
#pragma once
#include <gpu/loops/gather.cuh>
#include <gpu/loops/row_walks.cuh>
#include <gpu/steps/load_once.cuh>
#include <gpu/steps/outside.cuh>
#include <loops/arcs.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace copse::backend {

/// True if a step along an arc returns a vertex that is in the same tree as both ends of the arc, from then on.
template <class Step>
constexpr bool step_stays_joined = requires {
  requires Step::stays_joined;
};
/// True if the step counts its loads and stores (gpu/loops/counting.cuh). The kernels that join several passes do not run such steps.
template <class Step>
constexpr bool step_counts = requires {
  requires Step::counts;
};

/// Calls the steps of visit() along the arcs of a row. `Load` is how targets are read: plainly, or with a hint that they are read once
/// (gpu/steps/load_once.cuh).
template <class Id, class Load = plain_load>
struct row_steps {
  any_rows<Id> rows;
  bool once;  ///< visits only arcs to smaller vertices: each edge of symmetric rows once, from its larger end
  /// the rest of a row is skipped when a step returns one of these two vertices; no_vertex for none
  Id leaves_at = no_vertex<Id>, leaves_too = no_vertex<Id>;

  /// Calls the step along the arcs first, first + stride, ... of v's row. Returns true if it left the row before its end.
  template <class Step>
  __device__ bool along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride, const Step& step) const {
    const Id limit = once ? v : no_vertex<Id>;  // with no_vertex as the limit all targets pass, because every id is below it
    Id u = v;
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = Load{}(rows.targets + a);
      if (target >= limit) {
        if (rows.sorted) break;
        continue;
      }
      u = take_arc(step, v, u, target);
      if (u == leaves_at || u == leaves_too) return true;
    }
    return false;
  }
  /// Sets [first, last) to the arcs of v that are visited. Unwanted arcs at the end of a sorted row are cut off where a warp or a
  /// block would be busy with skipping them.
  __device__ void bounds(Id v, std::uint64_t& first, std::uint64_t& last) const {
    first = rows.offsets.loaded(v, Load{});
    last = rows.offsets.loaded(std::size_t{v} + 1, Load{});
    if (once && rows.sorted && last - first >= warp_row_arcs) last = end_of_smaller(rows.targets, first, last, v);
  }
};

/// Which rows a pass of visit() walks, and how much of each.
template <class Id, class Label, class Step>
struct visit_walk {
  row_steps<Id> steps;
  bool outside;
  Id giant;
  Label label;
  Step step;

  const Id* vertices = nullptr;  ///< the vertices whose rows are walked; null for all vertices of the graph
  std::size_t count = 0;
  device_facts<Id> facts = {};
  unsigned joined_arcs = 0;

  [[nodiscard]] __device__ std::size_t size() const { return count; }
  __device__ Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const {
    const Id v = vertices == nullptr ? static_cast<Id>(i) : vertices[i];
    if (outside && label(v) == giant) return v;
    steps.bounds(v, first, last);
    return v;
  }
  __device__ bool along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride) const {
    if (facts.giant == nullptr) return steps.along(v, first, last, stride, step);
    row_steps<Id> known = steps;
    known.leaves_at = *facts.giant;
    known.once = known.leaves_at == no_vertex<Id>;  // without a giant no vertex is skipped, and each edge would be visited from both ends
    if (!known.once) known.leaves_too = label(known.leaves_at);
    return known.along(v, first, last, stride, step);
  }
};

/// A step of gather(): appends a vertex to a list if it is outside the giant.
template <class Id, class Label>
struct append_if_outside {
  Label label;
  Id giant;
  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    if (const Id v = static_cast<Id>(i); label(v) != giant) append(v);
  }
};
template <class Step>
struct step_along_edge {
  edge_loads edges;
  Step step;
  __device__ void operator()(std::size_t i) const {
    const auto e = edges[i];
    take_arc(step, e.u, e.u, e.v);
  }
};
/// Visits an edge after prefetching the parents of the next edge of the same thread.
template <class Step, class Ahead>
struct step_along_edge_ahead {
  edge_loads edges;
  std::size_t count;
  Step step;
  Ahead ahead;
  __device__ void operator()(std::size_t i) const {
    if (const std::size_t next = i + std::size_t{gridDim.x} * blockDim.x; next < count) {
      const auto e = edges[next];
      ahead(e.u);
      ahead(e.v);
    }
    const auto e = edges[i];
    take_arc(step, e.u, e.u, e.v);
  }
};
template <class Id, class Label, class Step>
struct step_along_picked {
  arc_set<Id> set;  ///< selects arcs of every vertex, or of the listed vertices
  Label label;
  Step step;
  bool reorganised;

  /// Returns the target of v's arc at index `number`, or v itself if v has too few arcs: a loop, along which no rule has work.
  [[nodiscard]] __device__ Id nth(std::size_t v, unsigned number) const {
    const std::uint64_t first = set.rows.offsets[v];
    return set.rows.offsets[v + 1] - first > number ? set.rows.targets[first + number] : static_cast<Id>(v);
  }
  /// Two threads of a warp, i and i + 1 with i even, visit the first two arcs of the vertices a = i and b = i + 1. Together they read the
  /// two arcs of a, then the two arcs of b, and then exchange targets: the even thread gives its arc of b for the other thread's arc of a.
  /// The stride of the loop over i is even, so both threads of a pair are here in the same iteration.
  __device__ void pair_up(std::size_t i) const {
    const unsigned side = static_cast<unsigned>(i % 2);
    const std::size_t a = i - side, b = a + 1;
    Id near = static_cast<Id>(i), far = near;
    if (b < set.vertices) {
      const unsigned both = 3u << ((threadIdx.x % 32) & ~1u);
      const Id of_a = nth(a, side), of_b = nth(b, side);
      const Id given = __shfl_xor_sync(both, side == 0 ? of_b : of_a, 1);
      near = side == 0 ? of_a : given;
      far = side == 0 ? given : of_b;
    } else {
      near = nth(i, 0);
      far = nth(i, 1);
    }
    const Id v = static_cast<Id>(i);
    if (near != v) take_arc(step, v, v, near);
    if (far != v) take_arc(step, v, v, far);
  }

  __device__ void operator()(std::size_t i) const {
    if (set.choice == arc_choice::first_two) {
      if (reorganised) return pair_up(i);
      const Id v = static_cast<Id>(i / 2), target = nth(i / 2, static_cast<unsigned>(i % 2));
      if (target != v) take_arc(step, v, v, target);
      return;
    }
    const Id v = static_cast<Id>(i);
    if (set.choice == arc_choice::nth) {
      const std::uint64_t first = set.rows.offsets[i];
      if (set.rows.offsets[i + 1] - first > set.count) take_arc(step, v, v, set.rows.targets[first + set.count]);
      return;
    }
    Id u = v;
    for (const Id target : set.picked_arcs(v, label)) u = take_arc(step, v, u, target);
  }
};

/// Calls f(v) for every vertex v of the list of f.set (device_facts::listed), or f(i) for every i < count if there is no list.
template <class Id, class F>
__global__ void __launch_bounds__(threads_a_block) run_picked(std::size_t count, F f) {
  after_the_last();
  const Id* const listed = f.set.there.listed;
  if (listed != nullptr) count = *f.set.there.listed_count;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) f(listed == nullptr ? i : listed[i]);
}

/// The overload of backend::visit for a GPU. For rows it prefetches nothing, because other threads run while one waits for memory.
template <class Id, class Label, class Step, class Ahead = never_ahead>
void visit(const cuda& backend, const arc_set<Id>& set, Label label, Step step, [[maybe_unused]] Ahead ahead = {}) {
  if (!set.is_rows) {
    const edge_loads edges = backend.reads(set.edges);
    if constexpr (std::same_as<Ahead, never_ahead>) {
      backend.for_each(set.edges.size(), step_along_edge<Step>{edges, step});
    } else {
      backend.for_each(set.edges.size(), step_along_edge_ahead<Step, Ahead>{edges, set.edges.size(), step, ahead});
    }
    return;
  }
  if (set.choice != arc_choice::all && set.choice != arc_choice::outside) {
    const bool reorganised = backend.has(gpu_row_loop::reorganised), by_arcs = set.choice == arc_choice::first_two && !reorganised;
    const std::size_t count = std::size_t{set.vertices} * (by_arcs ? 2 : 1);
    if (count == 0) return;
    backend.before_launch();
    launch_after(backend, backend.blocks_for(count), threads_a_block, run_picked<Id, step_along_picked<Id, Label, Step>>, count,
                 step_along_picked<Id, Label, Step>{set, label, step, reorganised});
    backend.launched();
    return;
  }
  const bool outside = set.choice == arc_choice::outside;
  visit_walk<Id, Label, Step> walk{{set.rows, !outside && set.rows.symmetric}, outside, set.giant, label, step};
  // A vertex that has joined the giant need not visit its remaining arcs: a neighbour outside the giant will visit the arc between them, or
  // will have joined the giant as well.
  if constexpr (step_stays_joined<Step>) {
    if (outside) walk.steps.leaves_at = set.giant;
  }
  walk.count = set.vertices;
  if constexpr (step_stays_joined<Step> && !step_counts<Step> && requires { label.p; }) {
    if (set.there.giant != nullptr) {
      walk.facts = set.there;
      walk.joined_arcs = set.joined_arcs;
      return walk_all_outside<Id>(backend, set.rows.arcs, walk);
    }
  }
  if (!outside || !backend.has(gpu_row_loop::gathered)) return walk_all<Id>(backend, walk.count, set.rows.arcs, walk);
  gathered_on_gpu<Id> active{set.vertices, backend.memory()};
  gather(backend, set.vertices, active, append_if_outside<Id, Label>{label, set.giant});
  walk.vertices = active.data();
  walk.count = active.size();
  walk_all<Id>(backend, walk.count, set.rows.arcs, walk);
}

}  // namespace copse::backend
