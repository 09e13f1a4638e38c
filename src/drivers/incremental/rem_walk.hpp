// Rem's algorithm with compare-and-swap at the root and splitting (copse/extend/rules/unite/rem_cas.hpp), one step at a time. A step waits
// for memory once, so the threads of a warp, or the walks of one thread, wait together, and none waits for another's longest walk. Loads
// may be stale, as parents/device.cuh explains.
#pragma once
#include <copse/extend/host_device.hpp>

namespace copse::drivers {

/// Unites the ends of one edge after the other, for one thread: a walk climbs from both ends until it finds one parent for both, or links a
/// root. `P`: an accessor whose parents are ids, such as parents::cached.
template <class P>
class rem_walk {
public:
  using id = typename P::id;

  COPSE_HOST_DEVICE explicit rem_walk(P p) : p_{p} {}

  /// True if the walk found one parent for both ends, or made a link.
  COPSE_HOST_DEVICE bool done() const { return !begins_ && above_x_ == above_y_; }

  /// Begins a walk from the ends of an edge. Precondition of both functions that begin a walk: done().
  COPSE_HOST_DEVICE void begin(id u, id v) {
    x_ = u;
    y_ = v;
    begins_ = true;
    climbed_ = 0;
  }
  /// Begins a walk from ends that are probably roots: the first step is the compare-and-swap, and neither parent is loaded before. If it
  /// fails, it returns the parent, so an end that is not a root costs one step more.
  COPSE_HOST_DEVICE void begin_at_roots(id u, id v) {
    x_ = above_x_ = u;
    y_ = above_y_ = v;
    climbed_ = 0;
  }

  /// Takes one step. Calls on_link(root, parent) if the step makes a link. Precondition: !done().
  template <class OnLink>
  COPSE_HOST_DEVICE void step(OnLink on_link) {
    if (!begins_ && above_x_ < above_y_) {
      exchange(x_, y_);
      exchange(above_x_, above_y_);
    }
    const bool at_root = !begins_ && x_ == above_x_;
    id above = above_x_, above_other = above_y_;
    if (!at_root) above = p_.load(begins_ ? x_ : above_x_);
    if (begins_) above_other = p_.load(y_);
    if (at_root) {
      const auto swap = p_.cas(x_, x_, above_y_);
      if (swap.ok) on_link(x_, above_y_);
      above_x_ = swap.ok ? above_y_ : swap.seen;
    } else if (begins_) {
      above_x_ = above;
      above_y_ = above_other;
      begins_ = false;
    } else {
      if (++climbed_ > short_walk && above != above_x_ && p_.as_fresh().load(x_) == above_x_) p_.store(x_, above);
      x_ = above_x_;
      above_x_ = above;
    }
  }

private:
  COPSE_HOST_DEVICE static void exchange(id& a, id& b) {
    const id held = a;
    a = b;
    b = held;
  }

  /// Paths of at most this many steps are not shortened. Near the giant's root all walks pass the same vertices, and the caches still
  /// return their old parents, so each walk would store the same value again, one after the other in the L2 cache.
  static constexpr unsigned short_walk = 3;

  P p_;
  id x_ = 0, y_ = 0, above_x_ = 0, above_y_ = 0;  ///< both ends and their parents; the end with the larger parent takes the next step
  unsigned climbed_ = 0;
  bool begins_ = false;  ///< true if the parents of x_ and y_ are still to be loaded
};

}  // namespace copse::drivers
