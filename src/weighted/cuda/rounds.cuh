// Rounds after the first: trees are numbered, and Boruvka goes on on a list of edges. Each round every tree finds the first edge that
// leaves it, by an atomic minimum of (key, arc); trees join along these edges; and the edges that are still between two trees go to the
// other list, with their new roots.
//
// A tree at very many edges of the list does not choose: all threads would meet at its place, and the trees around it join it all the same.
#pragma once
#include <gpu/steps/go_up.cuh>
#include <gpu/steps/vote.cuh>
#include <weighted/cuda/space.cuh>

namespace copse::weighted {

// The trees of the first round get numbers in the order of their roots: what later rounds work on is smaller and denser.

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

/// Gives a vertex the number of its tree, after some trees have joined and tree_parents is flat.
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

/// A tree that so large a share of a list's edges touch that all threads would meet at its place. One block.
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

struct find_best {
  forest_space space;
  const candidate* list;
  __device__ void operator()(std::size_t k) const {
    const candidate edge = list[k];
    const std::uint32_t hot = space.counters->hot;
    if (edge.u != hot) offer(edge.u, edge.rank());
    if (edge.v != hot) offer(edge.v, edge.rank());
  }
  /// Looks before it writes, past the first cache, which does not hear of others' writes.
  __device__ void offer(std::uint32_t tree, unsigned long long rank) const {
    if (rank < __ldcg(space.best + tree)) atomicMin(space.best + tree, rank);
  }
};

/// A tree hooks under the one at the other end of its best edge; of two with the same edge the larger one does. Only the thread of that
/// edge writes for a tree.
struct hook_along_best {
  forest_space space;
  const candidate* list;
  __device__ void operator()(std::size_t k) const {
    const candidate edge = list[k];
    const std::uint32_t hot = space.counters->hot;
    const bool of_u = edge.u != hot && space.best[edge.u] == edge.rank(), of_v = edge.v != hot && space.best[edge.v] == edge.rank();
    if (!of_u && !of_v) return;
    const bool u_hooks = of_u && (!of_v || edge.u > edge.v);
    const std::uint32_t below = u_hooks ? edge.u : edge.v;
    space.tree_parents[below] = u_hooks ? edge.v : edge.u;
    space.tree_links[below] = edge.arc;
  }
};

/// The root above a tree, or a tree on the way after most_steps_up. Shortens the path: what is on it points at its grandparent afterwards.
__device__ inline std::uint32_t climbed(std::uint32_t* parents, std::uint32_t tree, bool& deep) {
  volatile std::uint32_t* up = parents;
  std::uint32_t parent = up[tree];
  for (unsigned step = 0; step < backend::most_steps_up; ++step) {
    if (parent == tree) return tree;
    const std::uint32_t above = up[parent];
    if (above == parent) return parent;
    up[tree] = above;
    tree = above;
    parent = up[tree];
  }
  deep = true;
  return tree;
}

/// Fills the other list, and makes the roots ready for the next round: with `clears`, otherwise all trees are. With Vertices, the ends of
/// edges are vertices until now. Where some path was too long, the counter `deep` says so: then the list has edges that are to be looked at
/// once more.
template <bool Vertices>
__global__ void __launch_bounds__(threads_a_block) keep_between_trees(forest_space space, unsigned from, unsigned count, bool clears) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender next{kept[threadIdx.x / warp_threads], list_of(space, 1 - from)};
  const candidate* list = space.candidates[from];
  const unsigned stride = gridDim.x * blockDim.x, lane = threadIdx.x % warp_threads;
  bool deep = false;
  for (unsigned base = blockIdx.x * blockDim.x + threadIdx.x - lane; base < count; base += stride) {
    candidate edge{};
    if (base + lane < count) {
      edge = list[base + lane];
      if constexpr (Vertices) {
        edge.u = space.trees[edge.u];
        edge.v = space.trees[edge.v];
      } else {
        edge.u = climbed(space.tree_parents, edge.u, deep);
        edge.v = climbed(space.tree_parents, edge.v, deep);
        if (clears && edge.u != edge.v) space.best[edge.u] = space.best[edge.v] = no_rank;
      }
    }
    next.append(edge.u != edge.v, edge);
  }
  next.flush();
  if (deep) space.counters->deep = 1;
}

}  // namespace copse::weighted
