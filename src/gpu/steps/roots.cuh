// Finds the roots of vertices on a GPU. Most paths are short, and walked by loads that the L1 cache may answer. A walk that has not ended
// after a few steps goes on by loads that see what others store, and stores every vertex that it passes as the parent of the vertex where
// it began: where all vertices of a path do so side by side, what is left of it halves with every step (pointer jumping), and none of them
// walks a mesh from end to end.
// Safe while rules that link roots run (but for those that move subtrees): only a vertex that is no root is given a parent, an ancestor.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/device_list.cuh>

#include <cstddef>

namespace copse::backend {

inline constexpr unsigned walked_steps = 8;  // more than most paths have

/// The accessor of the same parents whose loads are never stale.
template <class P>
__device__ auto seen_now(P p) {
  if constexpr (requires { p.as_fresh(); }) {
    return p.as_fresh();
  } else {
    return p;
  }
}

/// The root above `at`, which is above v: v's parent when this returns.
template <class P>
__device__ typename P::id jump_to_root(P p, typename P::id v, typename P::id at) {
  const auto now = seen_now(p);
  for (;;) {
    p.store(v, p.link(at));
    const auto above = now.parent(now.load(at));
    if (above == at) return at;
    at = above;
  }
}

/// Finds the roots of the vertices base, base + stride, ... below n. A thread takes several of them at a time, so that several loads are in
/// flight. `stores`: the roots become parents.
template <unsigned Each, class P>
__device__ void roots_of(P p, std::size_t base, std::size_t stride, std::size_t n, bool stores, typename P::id (&root)[Each]) {
  using id = typename P::id;
  id parent[Each];
#pragma unroll
  for (unsigned k = 0; k < Each; ++k) {
    const std::size_t v = base + k * stride;
    root[k] = parent[k] = p.parent(p.load(static_cast<id>(v < n ? v : 0)));
  }
  bool climbs = true;
  for (unsigned step = 0; climbs && step < walked_steps; ++step) {
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < Each; ++k) {
      const id above = p.parent(p.load(root[k]));
      climbs |= above != root[k];
      root[k] = above;
    }
  }
#pragma unroll
  for (unsigned k = 0; k < Each; ++k) {
    const std::size_t i = base + k * stride;
    if (i >= n) continue;
    const auto v = static_cast<id>(i);
    if (!stores) {
      if (climbs) root[k] = find::naive{}(p, root[k]);
    } else if (climbs) {
      const id above = p.parent(p.load(root[k]));
      if (above != root[k]) {
        root[k] = jump_to_root(p, v, above);
      } else if (root[k] != parent[k]) {
        p.store(v, p.link(root[k]));
      }
    } else if (root[k] != parent[k]) {
      p.store(v, p.link(root[k]));
    }
  }
}

/// Blocks begin in order, with few vertices each, so that most vertices before those in flight are flat already: paths lead there.
template <class P>
__global__ void __launch_bounds__(threads_a_block) flatten_vertices(P p, std::size_t n) {
  after_the_last();
  typename P::id root[1];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) roots_of(p, i, 0, n, true, root);
}

/// Flattens the vertices of a list, if `needed` is null or not 0; all n vertices if `giant` names a vertex that is no longer a root.
template <class P>
__global__ void __launch_bounds__(threads_a_block)
    flatten_list(P p, std::size_t n, const typename P::id* listed, const unsigned* listed_count, const unsigned* needed,
                 const typename P::id* giant) {
  after_the_last();
  using id = typename P::id;
  if (needed != nullptr && *needed == 0) return;
  const bool moved = giant != nullptr && *giant != no_vertex<id> && !p.is_root(*giant, p.load(*giant));
  const std::size_t count = moved ? n : *listed_count, stride = std::size_t{gridDim.x} * blockDim.x;
  id root[1];
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    roots_of(p, moved ? i : listed[i], 0, n, true, root);
  }
}

}  // namespace copse::backend
