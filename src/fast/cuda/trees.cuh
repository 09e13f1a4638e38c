// The parents as the fast path reads them, and how it finds roots: no store on short paths, halving on long ones.
#pragma once
#include <gpu/steps/tile.cuh>
#include <parents/device.cuh>

#include <string_view>

namespace copse::fast {

using backend::device_list, backend::place_for, backend::warp_appender;
using backend::in_tile, backend::near_turns, backend::tile, backend::tile_vertices, backend::turns;
using backend::warp_threads, backend::warps_a_block, backend::whole_warp;

/// Loads may be old; `now` has those that are not.
template <class Id>
class gpu_trees : public parents::cached<Id> {
public:
  __host__ __device__ explicit gpu_trees(Id* words) noexcept : parents::cached<Id>{words}, now{words} {}
  parents::fresh<Id> now;
};

inline constexpr unsigned long_path = 24;  // more than the depth of trees by minimum over random vertices

/// Most paths are short, and a store to shorten them would go to words near the giant's root, which all threads pass: as their loads are
/// answered by the L1 cache, each of them would store the same again, one after the other in the L2 cache. A path that is long all the same
/// is halved, by loads that see what others have halved, so that many threads on one path take logarithmically many rounds. Halving is by
/// minimum: an ancestor is smaller, so it never undoes what another thread stored.
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
    for (;;) {
      const auto above = p.now.load(v);
      if (above == v) return v;
      const auto higher = p.now.load(above);
      if (higher == above) return above;
      p.fetch_min(v, higher);
      v = higher;
    }
  }
};

/// The vertices of a list to their roots. Of `blocks` blocks that share the work this is number `block`.
template <class P>
__device__ void flatten_listed(P p, device_list<typename P::id> list, unsigned block, unsigned blocks) {
  const unsigned count = *list.count, stride = blocks * blockDim.x;
  for (unsigned i = block * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto v = list.items[i], root = patient<0>{}(p, v);
    if (root != v) p.store(v, root);
  }
}

}  // namespace copse::fast
