// Kernels that pass over rows: they sample the order of edges, make the first round of Boruvka's algorithm, and list the edges for later
// rounds.
//
// The first round needs no atomics: each vertex takes the first edge of its row as its link, and of two vertices that took the same edge
// the smaller one stays a root. The same pass over the arcs lists the light edges, which the next rounds work on.
//
// A vertex with a long row takes no edge, which is also correct: in a round any set of trees may choose. Its light edges are listed in
// pieces.
#pragma once
#include <core/random.hpp>
#include <weighted/cuda/space.cuh>

#include <cub/block/block_radix_sort.cuh>

namespace copse::weighted {

// Quantiles of the ranks of all edges, from a sample.

inline constexpr unsigned sampling_threads = 1024, samples_a_thread = 4;
inline constexpr unsigned sample_count = sampling_threads * samples_a_thread;

/// Writes the ranks (weight, then edge) of a sample of the arcs to `samples`, in ascending order. Launched with one block.
static __global__ void __launch_bounds__(sampling_threads) take_samples(keyed_rows rows, unsigned long long* samples) {
  using sorter = cub::BlockRadixSort<unsigned long long, sampling_threads, samples_a_thread>;
  __shared__ typename sorter::TempStorage room;
  unsigned long long ranks[samples_a_thread];
#pragma unroll
  for (unsigned k = 0; k < samples_a_thread; ++k) {
    const auto arc = static_cast<std::uint32_t>(mix(threadIdx.x * samples_a_thread + k) % rows.arcs);
    ranks[k] = rank_of(rows.keys[arc], arc);
  }
  sorter{room}.Sort(ranks);
#pragma unroll
  for (unsigned k = 0; k < samples_a_thread; ++k) samples[threadIdx.x * samples_a_thread + k] = ranks[k];
}

/// The edges with ranks above the sample at position `after` up to the one at position `upto`. With `after` 0 the range starts at the first
/// edge; with `upto` sample_count it ends at the last.
struct rank_range {
  unsigned after, upto;

  struct bounds {
    unsigned long long low, high;
    [[nodiscard]] __device__ bool holds(unsigned long long rank) const { return low < rank + 1 && rank <= high; }
  };
  /// Returns the smallest and the largest rank of the range; no rank of an edge is as large as no_rank.
  [[nodiscard]] __device__ bounds on(const unsigned long long* samples) const {
    return {after == 0 ? 0 : samples[after] + 1, upto == sample_count ? no_rank : samples[upto]};
  }
};

// Lists of the edges that are between two trees and have ranks in a range. Each edge is looked at once, in the row of its smaller end.
//
// After the light edges have been solved, most of the others have both ends in the giant and are left out, as in filter-Kruskal. A bit for
// each vertex says whether it is in the giant, as an array of bits is small enough for the cache.

/// Lists the arcs among [at, last) of a row that lead out of the tree of its vertex; `Lanes` threads share the row. All threads of the warp
/// must call it.
template <unsigned Lanes>
__device__ void list_arcs(const keyed_rows& rows, const forest_space& space, rank_range::bounds bounds, std::uint32_t tree,
                          std::uint64_t at, std::uint64_t last, candidate_appender& list) {
  const bool in_giant = tree == space.counters->giant;
  for (at += threadIdx.x % Lanes; __any_sync(whole_warp, at < last); at += Lanes) {
    candidate found{tree, tree, 0, static_cast<std::uint32_t>(at)};
    if (at < last) {
      const std::uint32_t target = rows.targets[at];
      if (!in_giant || (space.giant_bits[target / warp_threads] >> target % warp_threads & 1) == 0) {
        found.key = rows.keys[at];
        if (bounds.holds(found.rank())) found.v = space.trees[target];
      }
    }
    list.append(found.u != found.v, found);
  }
}

template <unsigned Lanes>
__global__ void __launch_bounds__(threads_a_block) list_rows(keyed_rows rows, forest_space space, rank_range range) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const rank_range::bounds bounds = range.on(space.samples);
  constexpr unsigned rows_a_warp = warp_threads / Lanes;
  const std::size_t stride = std::size_t{gridDim.x} * warps_a_block * rows_a_warp;
  for (std::size_t base = (std::size_t{blockIdx.x} * warps_a_block + threadIdx.x / warp_threads) * rows_a_warp; base < rows.vertices();
       base += stride) {
    const std::size_t row = base + threadIdx.x % warp_threads / Lanes;
    std::uint64_t at = 0, last = 0;
    std::uint32_t tree = 0;
    if (row < rows.vertices()) {
      at = rows.offsets[row] + space.smaller[row];
      last = rows.offsets[row + 1];
      tree = space.trees[row];
      if (last - at > piece_arcs) {
        if (threadIdx.x % Lanes == 0) put_pieces(space, tree, at, last);
        at = last;
      }
    }
    list_arcs<Lanes>(rows, space, bounds, tree, at, last, list);
  }
  list.flush();
}

/// Lists the light arcs among [at, last) of u, before there are trees: arcs to other vertices with ranks inside the bounds.
__device__ inline void list_light_arcs(const keyed_rows& rows, rank_range::bounds bounds, std::uint32_t u, std::uint64_t at,
                                       std::uint64_t last, candidate_appender& list) {
  for (at += threadIdx.x % warp_threads; __any_sync(whole_warp, at < last); at += warp_threads) {
    candidate found{u, u, 0, static_cast<std::uint32_t>(at)};
    if (at < last) {
      found.key = rows.keys[at];
      if (bounds.holds(found.rank())) found.v = rows.targets[at];
    }
    list.append(found.u != found.v, found);
  }
}

/// Appends the edges in the pieces of long rows to the list of candidates; one warp per piece. If `Vertices` is true, choose_first_edges
/// has made the pieces, before there are trees, and the ends of candidates are vertices; otherwise list_rows has made them, and the ends
/// are trees.
template <bool Vertices>
__global__ void __launch_bounds__(threads_a_block) list_pieces(keyed_rows rows, forest_space space, rank_range range) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const rank_range::bounds bounds = range.on(space.samples);
  const unsigned count = space.counters->pieces;
  for (unsigned k = blockIdx.x * warps_a_block + threadIdx.x / warp_threads; k < count; k += gridDim.x * warps_a_block) {
    const keyed_row_piece piece = space.pieces[k];
    if constexpr (Vertices) {
      list_light_arcs(rows, bounds, piece.end, piece.first, piece.last, list);
    } else {
      list_arcs<warp_threads>(rows, space, bounds, piece.end, piece.first, piece.last, list);
    }
  }
  list.flush();
}

inline constexpr std::uint64_t longest_choosing_row = 4096;

__device__ inline std::uint32_t not_larger_than(std::uint32_t u, const std::uint32_t* targets, std::uint64_t count) {
  std::uint64_t low = 0;
  while (low < count) {
    const std::uint64_t middle = (low + count) / 2;
    if (targets[middle] <= u) {
      low = middle + 1;
    } else {
      count = middle;
    }
  }
  return static_cast<std::uint32_t>(low);
}

/// Makes the first round of Boruvka's algorithm, and lists the light edges for the next ones. `Lanes` threads share a row.
template <unsigned Lanes>
__global__ void __launch_bounds__(threads_a_block) choose_first_edges(keyed_rows rows, forest_space space, rank_range light) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const rank_range::bounds bounds = light.on(space.samples);
  constexpr unsigned rows_a_warp = warp_threads / Lanes;
  const unsigned lane = threadIdx.x % Lanes, row_of_warp = threadIdx.x % warp_threads / Lanes;
  const std::size_t stride = std::size_t{gridDim.x} * warps_a_block * rows_a_warp;
  for (std::size_t base = (std::size_t{blockIdx.x} * warps_a_block + threadIdx.x / warp_threads) * rows_a_warp; base < rows.vertices();
       base += stride) {
    const std::size_t row = base + row_of_warp;
    const bool there = row < rows.vertices();
    const auto u = static_cast<std::uint32_t>(row);
    const std::uint64_t first = there ? rows.offsets[row] : 0, last = there ? rows.offsets[row + 1] : 0;
    const bool long_row = last - first > longest_choosing_row;

    // The smallest rank of an arc in the row. Arcs with equal keys are ranked by position, which is the order of edges, as targets ascend.
    unsigned long long best = no_rank;
    std::uint32_t smaller = 0;
    for (std::uint64_t i = first + lane, end = long_row ? first : last; __any_sync(whole_warp, i < end); i += Lanes) {
      candidate found{u, u, 0, static_cast<std::uint32_t>(i)};
      if (i < end) {
        found.v = rows.targets[i];
        found.key = rows.keys[i];
        smaller += found.v <= u;
        if (found.v != u && found.rank() < best) best = found.rank();
      }
      list.append(u < found.v && bounds.holds(found.rank()), found);
    }
#pragma unroll
    for (unsigned distance = Lanes / 2; distance > 0; distance /= 2) {
      const unsigned long long other = __shfl_xor_sync(whole_warp, best, distance);
      if (other < best) best = other;
      smaller += __shfl_xor_sync(whole_warp, smaller, distance);
    }
    if (!there || lane != 0) continue;
    if (long_row) {
      smaller = not_larger_than(u, rows.targets + first, last - first);
      put_pieces(space, u, first + smaller, last);
    }
    const bool chooses = best != no_rank;
    const auto arc = static_cast<std::uint32_t>(best);
    space.links[u] = chooses ? arc : no_arc;
    space.parents[u] = chooses ? rows.targets[arc] : u;
    space.smaller[u] = smaller;
    for (std::uint64_t mark = (first + arcs_of_mark - 1) / arcs_of_mark; mark * arcs_of_mark < last; ++mark) space.marks[mark] = u;
  }
  list.flush();
}

/// If two vertices have each other as parents, makes the smaller one a root. (Both chose the same edge, as edges have a total order.) In
/// place: only the smaller vertex of a pair changes its parent, and the thread of the other one does not read that.
struct part_pairs {
  forest_space space;
  __device__ void operator()(std::size_t i) const {
    const auto u = static_cast<std::uint32_t>(i);
    const std::uint32_t v = space.parents[u];
    if (u >= v || space.parents[v] != u) return;
    space.parents[u] = u;
    space.links[u] = no_arc;
  }
};

}  // namespace copse::weighted
