// The giant's label, found and kept on the GPU: a block samples random vertices.
#pragma once
#include <core/random.hpp>
#include <fast/cuda/trees.cuh>
#include <gpu/steps/vote.cuh>
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

inline constexpr float least_coverage = .25f;  ///< share of the votes, to win: with fewer no vertex is skipped

/// For a block that waits for `blocks` others, which call tell_done() when they have finished: have they all? All its threads call it.
__device__ inline bool all_done(const unsigned* done, unsigned blocks) {
  __shared__ bool all;
  __syncthreads();
  if (threadIdx.x == 0) {
    all = *static_cast<const volatile unsigned*>(done) == blocks;
    __threadfence();
  }
  __syncthreads();
  return all;
}
/// What the threads of the block stored before is seen by the block that waits.
__device__ inline void tell_done(unsigned* done) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  atomicAdd(done, 1u);
}

/// For a vote that waits for nothing.
struct at_once {
  __device__ bool operator()() const { return true; }
};

/// The most frequent root among random vertices that have arcs, the smallest of several; no_vertex when too few voted for it. A vote of
/// each thread of a block of `Threads`, and the same answer for all of them. Until `ready`, the same for all threads too, voters only go up
/// their paths: `Patience` steps by loads that may be old, then by such as see what was hooked. Votes are counted when seven in eight
/// voters have come to their roots: all would wait for the last ones, which have the longest paths. Precondition: n > 0.
template <unsigned Threads, unsigned Patience, class P, class Ready = at_once>
__device__ typename P::id elected(backend::any_rows<typename P::id> rows, P p, random_stream random, Ready ready = {}) {
  using id = typename P::id;
  using ballot = backend::ballot<Threads>;
  constexpr unsigned steps_a_look = 4;
  __shared__ ballot box;
  box.begin();
  const id asked = static_cast<id>(random.below(threadIdx.x, rows.vertices()));
  const std::uint64_t arcs = rows.degree(asked);
  id root = asked;
  const int most_late = __syncthreads_count(arcs != 0) / 8;
  bool counts = false, there;
  unsigned steps = 0;
  do {
    counts = counts || ready();
    there = arcs == 0;
    for (unsigned step = 0; step < steps_a_look && !there; ++step, ++steps) {
      if (steps < Patience) {
        const id above = p.load(root);
        there = above == root;
        root = above;
      } else {
        there = halves_to_root(p, root);
      }
    }
  } while (__syncthreads_count(!there) > most_late || !counts);
  const id label = arcs == 0 || !there ? ballot::nobody : root;
  const int all = __syncthreads_count(label != ballot::nobody);
  box.put(label);
  const auto [winner, votes] = box.end();
  return static_cast<float>(votes) >= least_coverage * static_cast<float>(all) ? winner : ballot::nobody;
}

}  // namespace copse::fast
