// Rounds after the first: trees are numbered, and Boruvka's algorithm continues on a list of edges. In each round every tree finds the
// first edge that leaves it, by an atomic minimum of (key, arc); trees join along these edges; and the edges that are still between two
// trees go to the other list, with their new roots.
//
// A tree that very many edges of the list touch does not choose an edge: all threads would contend for its word, and the trees around it
// join it anyway.
#pragma once
#include <gpu/steps/go_up.cuh>
#include <gpu/steps/vote.cuh>
#include <weighted/cuda/space.cuh>

namespace copse::weighted {

// The trees of the first round get numbers in the order of their roots, so that later rounds work on smaller and denser arrays.

struct is_root {
  const std::uint32_t* parents;
  __device__ bool operator()(std::uint32_t v) const { return parents[v] == v; }
};

/// Initialises a tree, and gives its root the number of the tree. `roots`: the root of each tree.
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

/// Gives each vertex the number of its tree, which its root has. A root writes the value that it already has.
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

/// Finds the tree with most vertices by a sample, if it has an eighth of the sample. One block.
static __global__ void __launch_bounds__(backend::voters) find_giant(std::uint32_t n, forest_space space) {
  __shared__ backend::ballot<backend::voters * votes_a_voter> votes;
  votes.begin();
#pragma unroll
  for (unsigned k = 0; k < votes_a_voter; ++k) votes.put(space.trees[mix(threadIdx.x * votes_a_voter + k) % n]);
  const auto found = votes.end();
  if (threadIdx.x == 0)
    space.counters->giant = found.votes >= backend::voters * votes_a_voter / 8 ? found.winner : no_vertex<std::uint32_t>;
}

/// Finds the hot tree, to which at least 1/64 of the sampled ends in a list belong; it does not choose an edge, as all threads would
/// contend for the word with its best edge. One block.
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

/// Sets the bits of the vertices in the giant. Every warp takes 32 vertices at a time.
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
  /// Offers an edge to a tree, which keeps the smallest rank. Reads the stored rank first and writes only a smaller one. The L2
  /// cache is read, as the L1 cache does not see the writes of other multiprocessors.
  __device__ void offer(std::uint32_t tree, unsigned long long rank) const {
    if (rank < __ldcg(space.best + tree)) atomicMin(space.best + tree, rank);
  }
};

/// Hooks a tree under the tree at the other end of its best edge; of two trees with the same best edge the one with the larger number
/// hooks. A tree has one best edge, so only the thread of that edge writes the tree's parent and link.
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

/// Returns the root above a tree, or the tree that is reached after most_steps_up steps; then sets `deep`. Halves the path.
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

/// Copies the edges that are still between two trees to the other list. With Vertices, the ends of edges are still vertices. With `clears`,
/// resets the best edges of the roots at their ends for the next round. If some path to a root was longer than most_steps_up, sets the
/// counter `deep`: then the list must be filtered once more.
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
