// The parents as the fast path reads them, and what works on them: how roots are found (no store on short paths, halving on long ones), how
// two trees are joined, and how whole warps do the work that few threads of each have.
#pragma once
#include <copse/extend/rules/unite/no_link.hpp>
#include <copse/views.hpp>
#include <gpu/steps/device_list.cuh>
#include <parents/device.cuh>

#include <string_view>
#include <utility>

namespace copse::fast {

using backend::add_of_block, backend::device_list, backend::place_for, backend::warp_appender;
using backend::in_tile, backend::tile, backend::tile_vertices, backend::tile_turns;
using backend::warp_threads, backend::warps_a_block, backend::whole_warp;

/// An accessor of parents whose loads may be stale. `now` accesses the same parents by loads that see what other threads have stored.
template <class Id>
class gpu_trees : public parents::cached<Id> {
public:
  __host__ __device__ explicit gpu_trees(Id* words) noexcept : parents::cached<Id>{words}, now{words} {}
  parents::fresh<Id> now;
};

// After this many steps a find begins to shorten the path. Most paths are shorter where ids are in random order and roots are hooked to
// smaller vertices.
inline constexpr unsigned long_path = 24;

/// Takes v two steps up, by loads that see what others stored, and shortens its path by one. Returns whether it is a root now. The
/// store is an atomic minimum: ancestors are smaller, so it never replaces a higher ancestor that another thread has stored.
template <class P>
__device__ bool halves_to_root(P p, typename P::id& v) {
  const auto above = p.now.load(v);
  if (above == v) return true;
  const auto higher = p.now.load(above);
  if (higher != above) p.fetch_min(v, higher);
  v = higher;
  return higher == above;
}

/// A find that stores nothing in its first `Patience` steps. Most paths are short, and stores to shorten them would go to words near the
/// giant's root, which all threads pass: as the threads' loads are answered by the L1 cache, each of them would store the same value again,
/// one after the other in the L2 cache. A path that is longer is halved, so that many threads on one path take logarithmically many rounds.
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

/// Points the listed vertices at their roots. The calling block is number `block` of the `blocks` blocks that share the list.
template <class P>
__device__ void flatten_listed(P p, device_list<typename P::id> list, unsigned block, unsigned blocks) {
  const std::size_t count = *list.count, stride = std::size_t{blocks} * blockDim.x;
  for (std::size_t i = std::size_t{block} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto v = list.items[i], root = patient<0>{}(p, v);
    if (root != v) p.store(v, root);
  }
}

/// Lets whole warps do work that only a few threads of each warp have: a warp collects items in shared memory until there is one for
/// each of its threads.
template <class T>
class full_warps {
public:
  static constexpr unsigned room = 2 * warp_threads;

  __device__ explicit full_warps(T* items) : items_{items} {}

  /// Adds the `item` of each thread that `wants`. All threads of the warp call it. Precondition: not full(): fewer than 32 items wait.
  __device__ void add(bool wants, T item) {
    const unsigned who = __ballot_sync(whole_warp, wants), lane = threadIdx.x % warp_threads;
    if (wants) items_[count_ + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)))] = item;
    count_ += static_cast<unsigned>(__popc(who));
    __syncwarp();
  }
  [[nodiscard]] __device__ bool full() const { return count_ >= warp_threads; }

  struct share {
    T item;
    bool valid;  ///< false for threads that take() gave no item
  };
  [[nodiscard]] __device__ bool empty() const { return count_ == 0; }
  /// Takes waiting items out: one for each thread of the warp, or one for each group of `Sharers` adjacent threads, as long as there are
  /// items. All threads of the warp call it.
  template <unsigned Sharers = 1>
  __device__ share take() {
    constexpr unsigned most = warp_threads / Sharers;
    const unsigned place = threadIdx.x % warp_threads / Sharers, now = count_ < most ? count_ : most;
    count_ -= now;
    const share mine{place < now ? items_[count_ + place] : T{}, place < now};
    __syncwarp();
    return mine;
  }

private:
  T* items_;
  unsigned count_ = 0;
};

inline constexpr unsigned most_climbs = 16, attempts = 3;

/// Joins the trees of v and w by one thread with few waits for memory: both paths are climbed at once, to the roots unless paths are long.
/// If this call links the trees, it records `e` and returns true. It gives up after a few attempts, because a warp waits for its slowest
/// thread, and the finish joins the remaining trees. Hooking at a root rather than somewhere on a path keeps paths short, on which all
/// later steps wait.
template <class P, class Recorder>
__device__ bool join_roots(P p, typename P::id v, typename P::id w, Recorder recorder, edge<typename P::id> e) {
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    for (unsigned step = 0; step < most_climbs; ++step) {
      const auto above_v = p.load(v), above_w = p.load(w);
      if (above_v == v && above_w == w) break;
      v = above_v;
      w = above_w;
    }
    if (v == w) return false;
    if (v < w) std::swap(v, w);
    const auto swap = p.cas(v, v, w);
    if (swap.ok) {
      recorder(v, e);
      return true;
    }
    v = swap.seen;
  }
  return false;
}

// Unites along arcs whose ends have ids far apart: Rem's walk (rules/unite/rem_cas.hpp), which climbs both paths side by side, always from
// the end whose parent is larger, until the parents agree. Finds of both roots would load every parent up to them, and where ids are random
// each of these loads goes to memory. The paths of ends with near ids pass the same parents, which the L1 cache has, so for such ends finds
// are quicker.
//
// The first `Steps` steps store nothing (`patient` says why). A longer walk goes on with `Then`, which shortens paths. Lock-free; after a
// failed swap the walk goes on from the value that the swap returned, so loads may be stale.

/// Unites x and y by Rem's walk, which shortens no path in its first `Steps` steps. Returns a vertex of the joined tree.
template <unsigned Steps, class Then>
struct side_by_side {
  template <class P, class OnLink = unite::no_link>
  __device__ typename P::id operator()(P p, typename P::id x, typename P::id y, OnLink on_link = {}) const {
    auto above_x = p.load(x), above_y = p.load(y);
    for (unsigned step = 0; step < Steps; ++step) {
      if (above_x == above_y) return above_x;
      if (above_x < above_y) {
        std::swap(x, y);
        std::swap(above_x, above_y);
      }
      if (x == above_x) {
        const auto swap = p.cas(x, x, above_y);
        if (swap.ok) {
          on_link(x, above_y);
          return above_y;
        }
        above_x = swap.seen;
      } else {
        x = above_x;
        above_x = p.load(x);
      }
    }
    return Then{}(p, x, y, on_link);
  }
};

}  // namespace copse::fast
