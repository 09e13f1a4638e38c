// The giant's label, found and kept on the GPU: a block samples random vertices.
#pragma once
#include <core/random.hpp>
#include <fast/cuda/trees.cuh>
#include <gpu/steps/ballot.cuh>
#include <loops/arcs.hpp>

namespace copse::fast {

/// True in the last block to call it, which sees what the others did before.
__device__ inline bool last_block(unsigned* done) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

struct election {
  random_stream random;
  float least_coverage;  ///< share of the votes, to win
};

/// The most frequent root among random vertices that have arcs, the smallest of several; no_vertex when too few voted for it. One vote of
/// each thread of a block of `Threads`, and the same answer for all of them. Precondition: n > 0.
template <unsigned Threads, class Find, class P>
__device__ typename P::id elected(backend::any_rows<typename P::id> rows, P p, election held) {
  using id = typename P::id;
  using ballot = backend::ballot<Threads>;
  __shared__ ballot box;
  box.begin();
  const id asked = static_cast<id>(held.random.below(threadIdx.x, rows.vertices()));
  const std::uint64_t arcs = rows.degree(asked);
  const id root = Find{}(p, asked), label = arcs == 0 ? ballot::nobody : root;
  const int all = __syncthreads_count(label != ballot::nobody);
  box.put(label);
  const auto [winner, votes] = box.end();
  return static_cast<float>(votes) >= held.least_coverage * static_cast<float>(all) ? winner : ballot::nobody;
}

}  // namespace copse::fast
