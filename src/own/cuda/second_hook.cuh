// The second hook, of the roots that the first one left. Each takes the parent of one of its first few neighbours, or a vertex a few steps
// above, if that is smaller than it: no path is walked to its end. They were larger than the root, so they have hooked, and one whose
// smallest neighbour is another vertex leads to another tree. That alone would leave trees of middling size, each around a vertex that is
// the smallest neighbour of all that it asks: those unite with the second neighbours of their neighbours, which makes one giant of them.
#pragma once
#include <backend/arcs.hpp>
#include <backend/cuda/after.cuh>
#include <own/cuda/gathered.cuh>
#include <own/cuda/trees.cuh>
#include <own/cuda/vote.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::own {

inline constexpr unsigned hook_arcs = 4;   // of a root are looked at
inline constexpr unsigned climbs = 2;      // steps from there, towards the root
inline constexpr unsigned unite_arcs = 2;  // of those lead to neighbours whose second neighbours it unites with

template <class Unite, class P>
__device__ void hook_second(backend::any_rows<typename P::id> rows, P p, gathered<typename P::id> roots) {
  using id = typename P::id;
  const unsigned count = *roots.count, stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const id v = roots.items[i];
    if (p.load(v) != v) continue;  // the root of a tile, which has hooked
    const std::uint64_t first = rows.offsets[v], last = rows.offsets[std::size_t{v} + 1];
    id asked[unite_arcs];  // the first of them
    bool hooks = false;
#pragma unroll
    for (unsigned k = 0; k < hook_arcs; ++k) {
      const id target = first + k < last ? rows.targets[first + k] : v;
      if (k < unite_arcs) asked[k] = target;
      if (target == v) continue;
      id parent = p.load(target);
      hooks = parent < v;
      if (!hooks) continue;
      for (unsigned step = 0; step < climbs; ++step) {
        const id above = p.load(parent);
        if (above == parent) break;
        parent = above;
      }
      p.cas(v, v, parent);  // fails where another has linked v
      break;
    }
    if (hooks) continue;
#pragma unroll
    for (unsigned k = 0; k < unite_arcs; ++k) {
      if (asked[k] == v) continue;
      const std::uint64_t second = rows.offsets[asked[k]] + 1;
      if (second < rows.offsets[std::size_t{asked[k]} + 1]) Unite{}(p, v, rows.targets[second]);
    }
  }
}

template <class Unite, class P>
__global__ void __launch_bounds__(backend::threads_a_block)
    second_hook(backend::any_rows<typename P::id> rows, P p, gathered<typename P::id> roots) {
  backend::after_the_last();
  hook_second<Unite>(rows, p, roots);
}

/// One block votes for the giant; the others take the roots of tiles to theirs, if there are any.
template <class P>
__global__ void __launch_bounds__(voters)
    vote_and_flatten_tops(backend::any_rows<typename P::id> rows, P p, random_stream random, float least_coverage, typename P::id* giant,
                          gathered<typename P::id> tops, const unsigned* near_tiles) {
  backend::after_the_last();
  if (blockIdx.x == 0) {
    const auto winner = elected<voters>(rows, p, random, least_coverage);
    if (threadIdx.x == 0) *giant = winner;
  } else if (*near_tiles != 0) {
    flatten_listed(p, tops, blockIdx.x - 1, gridDim.x - 1);
  }
}

}  // namespace copse::own
