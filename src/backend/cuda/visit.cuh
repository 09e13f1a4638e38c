// The arcs of a graph on a GPU, scheduled by the length of rows: short ones by one thread each, so that a rule may go on where the last arc
// led; middling ones by a warp, whose threads read adjacent arcs; long ones cut into pieces for blocks, which a second kernel takes from a
// list that the first one makes, so that no block is left alone with a hub.
#pragma once
#include <backend/arcs.hpp>
#include <backend/cuda/cuda.cuh>
#include <backend/cuda/gather.cuh>
#include <copse/core/memory.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr std::uint64_t warp_row_arcs = 32, long_row_arcs = 1024;

/// Part of a long row.
template <class Id>
struct row_piece {
  std::uint64_t first;
  std::uint32_t arcs;
  Id v;
};

/// The pieces of one walk, in no order.
template <class Id>
struct piece_list {
  row_piece<Id>* pieces;
  unsigned long long* count;

  __device__ void cut(Id v, std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t parts = (last - first + long_row_arcs - 1) / long_row_arcs;
    const std::uint64_t at = atomicAdd(count, static_cast<unsigned long long>(parts));
    for (std::uint64_t k = 0; k < parts; ++k, first += long_row_arcs) {
      const std::uint64_t arcs = last - first < long_row_arcs ? last - first : long_row_arcs;
      pieces[at + k] = {first, static_cast<std::uint32_t>(arcs), v};
    }
  }
};

/// `walk` says which rows there are: walk.row(i, first, last) is the vertex of row number i < walk.size(), with the arcs [first, last) of
/// it that are wanted; and what is done along them: walk.along(v, first, last, stride) goes over the arcs first, first + stride, ...
template <class Id, class Walk>
__global__ void __launch_bounds__(threads_a_block) walk_rows(Walk walk, piece_list<Id> pieces) {
  constexpr unsigned warp = 32, everyone = 0xFFFFFFFFu;
  const std::size_t n = walk.size(), stride = std::size_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % warp;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < n; base += stride) {
    Id v = 0;
    std::uint64_t first = 0, last = 0;
    if (base + lane < n) v = walk.row(base + lane, first, last);
    const std::uint64_t arcs = last - first;
    if (arcs >= long_row_arcs) pieces.cut(v, first, last);
    for (unsigned left = __ballot_sync(everyone, arcs >= warp_row_arcs && arcs < long_row_arcs); left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const Id row = __shfl_sync(everyone, v, owner);
      const std::uint64_t begin = __shfl_sync(everyone, first, owner), end = __shfl_sync(everyone, last, owner);
      walk.along(row, begin + lane, end, warp);
      __syncwarp();
    }
    if (arcs < warp_row_arcs && arcs > 0) walk.along(v, first, last, 1);
    __syncwarp();
  }
}

template <class Id, class Walk>
__global__ void __launch_bounds__(threads_a_block) walk_pieces(Walk walk, piece_list<Id> pieces) {
  const unsigned long long count = *pieces.count;
  for (unsigned long long k = blockIdx.x; k < count; k += gridDim.x) {
    const row_piece<Id> piece = pieces.pieces[k];
    walk.along(piece.v, piece.first + threadIdx.x, piece.first + piece.arcs, blockDim.x);
  }
}

/// Both kernels. At most `most_rows` rows, and `arcs` arcs in all of the graph.
template <class Id, class Walk>
void walk_all(const cuda& backend, std::size_t most_rows, std::uint64_t arcs, Walk walk) {
  if (arcs == 0 || most_rows == 0) return;
  // A long row has at most one piece that is not full.
  buffer<row_piece<Id>> pieces{static_cast<std::size_t>(2 * (arcs / long_row_arcs)), backend.memory()};
  buffer<unsigned long long> piece_count{1, backend.memory()};
  const piece_list<Id> list{pieces.data(), piece_count.data()};
  backend.clear(piece_count.data(), sizeof(unsigned long long));
  backend.before_launch();
  walk_rows<Id><<<backend.blocks_for(most_rows), threads_a_block, 0, backend.stream()>>>(walk, list);
  backend.launched();
  if (pieces.empty()) return;
  walk_pieces<Id><<<backend.blocks_for(pieces.size() * threads_a_block), threads_a_block, 0, backend.stream()>>>(walk, list);
  backend.launched();
}

/// Does a step lead to a vertex of the tree that it made, in which all its vertices stay for ever?
template <class Step>
constexpr bool step_stays_joined = requires {
  requires Step::stays_joined;
};

/// The arcs of a row, for the steps of visit().
template <class Id>
struct row_steps {
  any_rows<Id> rows;
  bool once;                     ///< only arcs to smaller vertices: each edge of symmetric rows from its larger end
  Id leaves_at = no_vertex<Id>;  ///< the row is done with when a step leads to this vertex

  template <class Step>
  __device__ void along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride, const Step& step) const {
    const Id limit = once ? v : no_vertex<Id>;  // every id is below no_vertex
    Id u = v;
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = rows.targets[a];
      if (target >= limit) {
        if (rows.sorted) break;
        continue;
      }
      u = take_arc(step, v, u, target);
      if (u == leaves_at) break;
    }
  }
  /// Where the arcs to vertices below v end, in a sorted row.
  __device__ std::uint64_t end_of_smaller(Id v, std::uint64_t first, std::uint64_t last) const {
    while (first < last) {
      const std::uint64_t middle = first + (last - first) / 2;
      if (rows.targets[middle] < v) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
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

  const Id* vertices = nullptr;  ///< null: all of the graph
  std::size_t count = 0;

  [[nodiscard]] __device__ std::size_t size() const { return count; }
  __device__ Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const {
    const Id v = vertices == nullptr ? static_cast<Id>(i) : vertices[i];
    if (outside && label(v) == giant) return v;
    first = steps.rows.offsets[v];
    last = steps.rows.offsets[std::size_t{v} + 1];
    if (steps.once && steps.rows.sorted && last - first >= warp_row_arcs) last = steps.end_of_smaller(v, first, last);
    return v;
  }
  __device__ void along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride) const { steps.along(v, first, last, stride, step); }
};

/// Steps for run_each.
template <class Id, class Label>
struct append_if_outside {
  Label label;
  Id giant;
  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    if (const Id v = static_cast<Id>(i); label(v) != giant) append(v);
  }
};
template <class Id, class Step>
struct step_along_edge {
  const edge<Id>* edges;
  Step step;
  __device__ void operator()(std::size_t i) const { take_arc(step, edges[i].u, edges[i].u, edges[i].v); }
};
template <class Id, class Label, class Step>
struct step_along_picked {
  arc_set<Id> set;
  Label label;
  Step step;
  bool reorganised;

  /// Arc number `number` of v, which is v itself when there is none: to that, every rule has nothing to do.
  [[nodiscard]] __device__ Id nth(std::size_t v, unsigned number) const {
    const std::uint64_t first = set.rows.offsets[v];
    return set.rows.offsets[v + 1] - first > number ? set.rows.targets[first + number] : static_cast<Id>(v);
  }
  /// Two threads of a warp, i and i + 1 with i even, have vertices a = i and b = i + 1. Together they read both arcs of a, then both of b,
  /// and swap: the even one gives its arc of b for the other's arc of a. Threads of a pair take the same turns, as strides are even.
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

/// backend::visit on a GPU. This header comes before those that call visit: they name it with its namespace, so that only what they have
/// seen is found. Prefetches are for the few misses that a core keeps track of; here there are other threads to wait for.
template <class Id, class Label, class Step, class Ahead = never_ahead>
void visit(const cuda& backend, const arc_set<Id>& set, Label label, Step step, Ahead /*ahead*/ = {}) {
  if (!set.is_rows) {
    backend.for_each(set.edges.size(), step_along_edge<Id, Step>{set.edges.data(), step});
    return;
  }
  if (set.choice != arc_choice::all && set.choice != arc_choice::outside) {
    const bool reorganised = backend.has(gpu_row_loop::reorganised), by_arcs = set.choice == arc_choice::first_two && !reorganised;
    backend.for_each(std::size_t{set.vertices} * (by_arcs ? 2 : 1), step_along_picked<Id, Label, Step>{set, label, step, reorganised});
    return;
  }
  const bool outside = set.choice == arc_choice::outside;
  visit_walk<Id, Label, Step> walk{{set.rows, !outside && set.rows.symmetric}, outside, set.giant, label, step};
  // Who has joined the giant need not look further: a neighbour that has not will visit the arc between them, or leave its row there too.
  if constexpr (step_stays_joined<Step>) {
    if (outside) walk.steps.leaves_at = set.giant;
  }
  walk.count = set.vertices;
  if (!outside || !backend.has(gpu_row_loop::gathered)) return walk_all<Id>(backend, walk.count, set.rows.arcs, walk);
  gathered_on_gpu<Id> active{set.vertices, backend.memory()};
  gather(backend, set.vertices, active, append_if_outside<Id, Label>{label, set.giant});
  walk.vertices = active.data();
  walk.count = active.size();
  walk_all<Id>(backend, walk.count, set.rows.arcs, walk);
}

}  // namespace copse::backend
