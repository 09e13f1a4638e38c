// The trees of the first round get numbers in the order of their roots: what later rounds work on is smaller and denser.
#pragma once
#include <gpu/steps/vote.cuh>
#include <weighted/cuda/space.cuh>

namespace copse::weighted {

struct is_root {
  const std::uint32_t* parents;
  __device__ bool operator()(std::uint32_t v) const { return parents[v] == v; }
};

/// For each tree, given the root of each.
struct begin_tree {
  forest_space space;
  const std::uint32_t* roots;
  __device__ void operator()(std::size_t i) const {
    const auto tree = static_cast<std::uint32_t>(i);
    space.trees[roots[i]] = tree;
    space.tree_parents[i] = tree;
    space.tree_links[i] = no_arc;
    space.best[i] = no_rank;
  }
};

/// For each vertex, after all trees. A root writes what is there.
struct number_vertex {
  forest_space space;
  __device__ void operator()(std::size_t v) const { space.trees[v] = space.trees[space.parents[v]]; }
};

/// For each vertex, after some trees have joined and tree_parents is flat.
struct renumber_vertex {
  forest_space space;
  __device__ void operator()(std::size_t v) const { space.trees[v] = space.tree_parents[space.trees[v]]; }
};

inline constexpr unsigned votes_a_voter = 2;

/// The tree of most vertices, if it has an eighth of them. One block.
static __global__ void __launch_bounds__(backend::voters) find_giant(std::uint32_t n, forest_space space) {
  __shared__ backend::ballot<backend::voters * votes_a_voter> votes;
  votes.begin();
#pragma unroll
  for (unsigned k = 0; k < votes_a_voter; ++k) votes.put(space.trees[mix(threadIdx.x * votes_a_voter + k) % n]);
  const auto found = votes.end();
  if (threadIdx.x == 0)
    space.counters->giant = found.votes >= backend::voters * votes_a_voter / 8 ? found.winner : no_vertex<std::uint32_t>;
}

/// A tree at so many edges of a list that all threads would meet at its place. One block.
static __global__ void __launch_bounds__(backend::voters) find_hot(forest_space space, unsigned from, unsigned count) {
  static_assert(votes_a_voter == 2);
  __shared__ backend::ballot<backend::voters * votes_a_voter> votes;
  votes.begin();
  const candidate edge = space.candidates[from][mix(threadIdx.x) % count];
  votes.put(edge.u);
  votes.put(edge.v);
  const auto found = votes.end();
  if (threadIdx.x == 0) space.counters->hot = found.votes >= backend::voters * votes_a_voter / 64 ? found.winner : no_vertex<std::uint32_t>;
}

/// Whole warps over the vertices.
static __global__ void __launch_bounds__(threads_a_block) mark_giant(std::uint32_t n, forest_space space) {
  const std::uint32_t giant = space.counters->giant;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x, lane = threadIdx.x % warp_threads;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < n; base += stride) {
    const unsigned bits = __ballot_sync(whole_warp, base + lane < n && space.trees[base + lane] == giant);
    if (lane == 0) space.giant_bits[base / warp_threads] = bits;
  }
}

}  // namespace copse::weighted
