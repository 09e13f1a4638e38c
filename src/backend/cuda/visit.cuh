// The arcs of a graph on a GPU, scheduled by the length of rows: short ones by one thread each, so that a rule may go on where the last arc
// led; middling ones by a warp, whose threads read adjacent arcs; long ones cut into pieces for blocks, which a second kernel takes from a
// list that the first one makes, so that no block is left alone with a hub.
#pragma once
#include <backend/arcs.hpp>
#include <backend/cuda/cuda.cuh>
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

/// Which rows a pass walks, and how much of each.
template <class Id>
struct row_walk {
  any_rows<Id> rows;
  bool outside, once;
  Id giant;
  row_piece<Id>* pieces;
  unsigned long long* piece_count;

  /// The arcs [first, first + stride, ... last) of v.
  template <class Step>
  __device__ void walk(Id v, std::uint64_t first, std::uint64_t last, unsigned stride, const Step& step) const {
    const Id limit = once ? v : no_vertex<Id>;  // every id is below no_vertex
    Id u = v;
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = rows.targets[a];
      if (target >= limit) {
        if (rows.sorted) break;
        continue;
      }
      u = step(u, target);
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
  __device__ void cut(Id v, std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t count = (last - first + long_row_arcs - 1) / long_row_arcs;
    const std::uint64_t at = atomicAdd(piece_count, static_cast<unsigned long long>(count));
    for (std::uint64_t k = 0; k < count; ++k, first += long_row_arcs) {
      const std::uint64_t arcs = last - first < long_row_arcs ? last - first : long_row_arcs;
      pieces[at + k] = {first, static_cast<std::uint32_t>(arcs), v};
    }
  }
};

template <class Id, class Label, class Step>
__global__ void __launch_bounds__(threads_a_block) walk_rows(row_walk<Id> rows, Label label, Step step) {
  constexpr unsigned warp = 32, everyone = 0xFFFFFFFFu;
  const std::size_t n = rows.rows.vertices(), stride = std::size_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % warp;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < n; base += stride) {
    const std::size_t i = base + lane;
    const Id v = static_cast<Id>(i);
    std::uint64_t first = 0, last = 0;
    if (i < n && !(rows.outside && label(v) == rows.giant)) {
      first = rows.rows.offsets[i];
      last = rows.rows.offsets[i + 1];
      if (rows.once && rows.rows.sorted && last - first >= warp_row_arcs) last = rows.end_of_smaller(v, first, last);
    }
    const std::uint64_t arcs = last - first;
    if (arcs >= long_row_arcs) rows.cut(v, first, last);
    for (unsigned left = __ballot_sync(everyone, arcs >= warp_row_arcs && arcs < long_row_arcs); left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const Id row = __shfl_sync(everyone, v, owner);
      const std::uint64_t begin = __shfl_sync(everyone, first, owner), end = __shfl_sync(everyone, last, owner);
      rows.walk(row, begin + lane, end, warp, step);
      __syncwarp();
    }
    if (arcs < warp_row_arcs) rows.walk(v, first, last, 1, step);
    __syncwarp();
  }
}

template <class Id, class Step>
__global__ void __launch_bounds__(threads_a_block) walk_pieces(row_walk<Id> rows, Step step) {
  const unsigned long long count = *rows.piece_count;
  for (unsigned long long k = blockIdx.x; k < count; k += gridDim.x) {
    const row_piece<Id> piece = rows.pieces[k];
    rows.walk(piece.v, piece.first + threadIdx.x, piece.first + piece.arcs, blockDim.x, step);
  }
}

/// Steps for run_each.
template <class Id, class Step>
struct step_along_edge {
  const edge<Id>* edges;
  Step step;
  __device__ void operator()(std::size_t i) const { step(edges[i].u, edges[i].v); }
};
template <class Id, class Label, class Step>
struct step_along_picked {
  arc_set<Id> set;
  Label label;
  Step step;
  __device__ void operator()(std::size_t i) const {
    const Id v = static_cast<Id>(i);
    if (set.choice == arc_choice::nth) {
      const std::uint64_t first = set.rows.offsets[i];
      if (set.rows.offsets[i + 1] - first > set.count) step(v, set.rows.targets[first + set.count]);
      return;
    }
    Id u = v;
    for (const Id target : set.picked_arcs(v, label)) u = step(u, target);
  }
};

/// backend::visit on a GPU. This header comes before those that call visit: they name it with its namespace, so that only what they have
/// seen is found.
template <class Id, class Label, class Step>
void visit(const cuda& backend, const arc_set<Id>& set, Label label, Step step) {
  if (!set.is_rows) {
    backend.for_each(set.edges.size(), step_along_edge<Id, Step>{set.edges.data(), step});
    return;
  }
  if (set.choice != arc_choice::all && set.choice != arc_choice::outside) {
    backend.for_each(set.vertices, step_along_picked<Id, Label, Step>{set, label, step});
    return;
  }
  if (set.rows.arcs == 0) return;
  const bool outside = set.choice == arc_choice::outside;
  // A long row has at most one piece that is not full.
  buffer<row_piece<Id>> pieces{static_cast<std::size_t>(2 * (set.rows.arcs / long_row_arcs)), backend.memory()};
  buffer<unsigned long long> piece_count{1, backend.memory()};
  const row_walk<Id> rows{set.rows, outside, !outside && set.rows.symmetric, set.giant, pieces.data(), piece_count.data()};
  backend.clear(piece_count.data(), sizeof(unsigned long long));
  backend.before_launch();
  walk_rows<<<backend.blocks_for(set.vertices), threads_a_block, 0, backend.stream()>>>(rows, label, step);
  cuda::launched();
  if (pieces.empty()) return;
  walk_pieces<<<backend.blocks_for(pieces.size() * threads_a_block), threads_a_block, 0, backend.stream()>>>(rows, step);
  cuda::launched();
}

}  // namespace copse::backend
