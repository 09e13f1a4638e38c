// The first round of Boruvka, without atomics: each vertex takes the first edge of its row as its link, and of two that took the same edge
// the smaller one stays a root. The same pass over the arcs lists the light edges, which the next rounds work on.
//
// A vertex with a long row takes none, which is as right: any set of trees may choose in a round. Its light edges are listed in pieces.
#pragma once
#include <weighted/cuda/listing.cuh>

namespace copse::weighted {

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

/// Lanes threads per row.
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

    unsigned long long best = no_rank;  // targets ascend, so places in the row order edges of equal keys
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

/// Two vertices that took each other took the same edge, as edges have a total order. In place: only the smaller one of a pair changes,
/// and the other does not look whether it did.
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
