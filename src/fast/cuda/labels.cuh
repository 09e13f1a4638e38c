// The last pass: vertices that were outside the giant to their roots. All others point at the giant's root, and stay as they are, unless
// a smaller vertex joined the giant and is its root now: then all vertices are walked from.
#pragma once
#include <copse/types.hpp>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/workspace.hpp>
#include <gpu/runtime/after.cuh>

#include <cstddef>

namespace copse::fast {

template <class P>
__global__ void __launch_bounds__(backend::threads_a_block)
    label_outside(P p, std::size_t n, const giants<typename P::id>* giant, device_list<typename P::id> outside) {
  backend::after_the_last();
  using id = typename P::id;
  const id known = giant->known();
  const bool moved = known != no_vertex<id> && p.load(known) != known;
  const std::size_t count = moved ? n : *outside.count, stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const id v = moved ? static_cast<id>(i) : outside.items[i];
    const id parent = p.load(v), root = patient<long_path>{}(p, parent);
    if (root != parent) p.store(v, root);
  }
}

/// Takes the roots of tiles to their roots, if there are any.
template <class P>
__global__ void __launch_bounds__(backend::threads_a_block)
    flatten_tops(P p, device_list<typename P::id> tops, const unsigned* near_tiles) {
  backend::after_the_last();
  if (*near_tiles != 0) flatten_listed(p, tops, blockIdx.x, gridDim.x);
}

}  // namespace copse::fast
