// Finds the roots of vertices on a GPU. Most paths are short, and are walked by loads that the L1 cache may answer. A walk that has not
// ended after a few steps continues by loads that see the stores of other threads, and stores every vertex that it passes as the parent of
// the vertex where it began. When the vertices of a path do so concurrently, the rest of each walk halves with every step (pointer
// jumping), so that no thread walks a mesh from end to end. This is safe while rules that link roots run (but not with rules that move
// subtrees): only a vertex that is not a root gets a parent, which is one of its ancestors.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/device_list.cuh>

#include <cstddef>

namespace copse::backend {

// A thread walks from several vertices at once for at most so many steps; then it walks the rest of the few longer paths one by one.
inline constexpr unsigned walked_steps = 8;

/// Returns an accessor of the same parents as `p` whose loads ask the L2 cache, so that they are never stale; `p` itself if its type offers
/// no such accessor.
template <class P>
__device__ auto seen_now(P p) {
  if constexpr (requires { p.as_fresh(); }) {
    return p.as_fresh();
  } else {
    return p;
  }
}

/// Returns the root above `at`, an ancestor of v, and makes it v's parent.
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

/// Finds the roots of `Each` vertices below n: base, base + stride, ... Taking several vertices per thread keeps several loads in flight.
/// With `stores`, the roots become parents.
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

/// Flattens the trees of n vertices. Blocks begin in order, with few vertices each, so that most smaller vertices, to which paths lead, are
/// flat when a block begins.
template <class P>
__global__ void __launch_bounds__(threads_a_block) flatten_vertices(P p, std::size_t n) {
  after_the_last();
  typename P::id root[1];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) roots_of(p, i, 0, n, true, root);
}

/// Flattens the listed vertices, unless *needed is 0. Flattens all n vertices instead if *giant is a vertex that is no longer a root. Both
/// pointers may be null.
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
