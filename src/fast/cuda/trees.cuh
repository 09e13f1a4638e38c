// The parents as the fast path reads them, and how it finds roots: no store on short paths, halving on long ones.
#pragma once
#include <gpu/steps/tile.cuh>
#include <parents/device.cuh>

#include <string_view>

namespace copse::fast {

using backend::device_list, backend::place_for, backend::warp_appender;
using backend::in_tile, backend::tile, backend::tile_vertices, backend::turns;
using backend::warp_threads, backend::warps_a_block, backend::whole_warp;

/// Loads may be old; `now` has those that are not.
template <class Id>
class gpu_trees : public parents::cached<Id> {
public:
  __host__ __device__ explicit gpu_trees(Id* words) noexcept : parents::cached<Id>{words}, now{words} {}
  parents::fresh<Id> now;
};

inline constexpr unsigned long_path = 24;  // more than the depth of trees by minimum over random vertices

/// Takes v two steps up, by loads that see what others stored, and shortens its path by one. Returns whether it is a root now. Halving is
/// by minimum: an ancestor is smaller, so it never undoes what another thread stored.
template <class P>
__device__ bool halves_to_root(P p, typename P::id& v) {
  const auto above = p.now.load(v);
  if (above == v) return true;
  const auto higher = p.now.load(above);
  if (higher != above) p.fetch_min(v, higher);
  v = higher;
  return higher == above;
}

/// Most paths are short, and a store to shorten them would go to words near the giant's root, which all threads pass: as their loads are
/// answered by the L1 cache, each of them would store the same again, one after the other in the L2 cache. A path that is long all the same
/// is halved, so that many threads on one path take logarithmically many rounds.
template <unsigned Patience>
struct patient {
  static constexpr std::string_view name = "patient";

  template <class P>
  __device__ typename P::id operator()(P p, typename P::id v) const noexcept {
    for (unsigned step = Patience; step != 0; --step) {
      const auto above = p.load(v);
      if (above == v) return v;
      v = above;
    }
    while (!halves_to_root(p, v)) {
    }
    return v;
  }
};

/// The vertices of a list to their roots. Of `blocks` blocks that share the work this is number `block`.
template <class P>
__device__ void flatten_listed(P p, device_list<typename P::id> list, unsigned block, unsigned blocks) {
  const std::size_t count = *list.count, stride = std::size_t{blocks} * blockDim.x;
  for (std::size_t i = std::size_t{block} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto v = list.items[i], root = patient<0>{}(p, v);
    if (root != v) p.store(v, root);
  }
}

}  // namespace copse::fast
