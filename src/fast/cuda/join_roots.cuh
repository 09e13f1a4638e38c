// Two trees, joined by one thread with few waits for memory: at their roots, unless paths are long.
#pragma once
#include <copse/views.hpp>
#include <fast/cuda/trees.cuh>

#include <utility>

namespace copse::fast {

inline constexpr unsigned most_climbs = 16, attempts = 3;

/// Joins the trees of v and w, and records `e` if this call linked them: both paths are climbed at once. It tries a few times: a warp waits
/// for its slowest thread, and the finish joins what is left. To hook at a root and not somewhere on a path keeps paths short, on which all
/// later steps wait.
template <class P, class Recorder>
__device__ void join_roots(P p, typename P::id v, typename P::id w, Recorder recorder, edge<typename P::id> e) {
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    for (unsigned step = 0; step < most_climbs; ++step) {
      const auto above_v = p.load(v), above_w = p.load(w);
      if (above_v == v && above_w == w) break;
      v = above_v;
      w = above_w;
    }
    if (v == w) return;
    if (v < w) std::swap(v, w);
    const auto swap = p.cas(v, v, w);
    if (swap.ok) return recorder(v, e);
    v = swap.seen;
  }
}

}  // namespace copse::fast
