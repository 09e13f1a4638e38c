// The giant's label, found and kept on the GPU: one block asks some random vertices and counts the answers in a hash table.
#pragma once
#include <backend/arcs.hpp>
#include <copse/core/types.hpp>
#include <core/random.hpp>
#include <own/cuda/trees.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::own {

inline constexpr unsigned voters = 1024;

/// `giant` = the most frequent label among random vertices that have arcs, the smallest of several; no_vertex when it has less than
/// `least_coverage` of the votes. One block of `voters` threads. Precondition: n > 0.
template <class P>
__device__ void vote(backend::any_rows<typename P::id> rows, P p, random_stream random, float least_coverage, typename P::id* giant) {
  using id = typename P::id;
  constexpr unsigned places = 2 * voters;
  constexpr id nobody = no_vertex<id>;
  __shared__ id candidates[places];
  __shared__ unsigned votes[places];
  __shared__ unsigned long long best;
  for (unsigned k = threadIdx.x; k < places; k += voters) {
    candidates[k] = nobody;
    votes[k] = 0;
  }
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  const id asked = static_cast<id>(random.below(threadIdx.x, rows.vertices()));
  const id label = rows.degree(asked) == 0 ? nobody : patient<long_path>{}(p, asked);
  const int all = __syncthreads_count(label != nobody);
  // The threads of a warp with one answer put it in together: most name the giant.
  const unsigned same = __match_any_sync(0xFFFFFFFFu, label);
  if (label != nobody && threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1)) {
    for (unsigned at = static_cast<unsigned>(mix(label)) % places;; at = (at + 1) % places) {
      const id known = atomicCAS(&candidates[at], nobody, label);
      if (known != nobody && known != label) continue;
      atomicAdd(&votes[at], static_cast<unsigned>(__popc(same)));
      break;
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < places; k += voters) {
    if (votes[k] != 0) atomicMax(&best, static_cast<unsigned long long>(votes[k]) << 32 | (nobody - candidates[k]));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const bool elected = static_cast<float>(best >> 32) >= least_coverage * static_cast<float>(all) && all > 0;
    *giant = elected ? nobody - static_cast<id>(best) : nobody;
  }
}

}  // namespace copse::own
