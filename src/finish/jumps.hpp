// Pointer jumping in lock step: passes in which every vertex takes an ancestor a step, or some steps, further up for its parent. Of s steps
// a path of length l is flat after some log l / log (s + 1), where a walk from each of its vertices takes l * l / 2 steps.
#pragma once
#include <copse/extend/host_device.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

/// Every vertex takes its grandparent for its parent; calls `jumped(parent)` for each new one.
template <class P, class Jumped>
struct jump_once {
  P p;
  Jumped jumped;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto parent = p.load(v), grandparent = p.load(parent);
    if (grandparent == parent) return;
    p.store(v, grandparent);
    jumped(grandparent);
  }
};
template <class P, class Jumped>
jump_once(P, Jumped) -> jump_once<P, Jumped>;

/// A few steps up, and whether there are more to come.
template <class P, class Noter>
struct jump_some {
  static constexpr unsigned steps = 8;  // most trees are no deeper: for them this is a walk, and no pass follows

  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto first = p.load(v);
    auto parent = first;
    for (unsigned step = 0; step < steps; ++step) {
      const auto grandparent = p.load(parent);
      if (grandparent == parent) break;
      parent = grandparent;
      if (step + 1 == steps) any.note();
    }
    if (parent != first) p.store(v, parent);
  }
};
template <class P, class Noter>
jump_some(P, Noter) -> jump_some<P, Noter>;

/// Until every parent is a root. In the last pass each vertex came to a root, and the words of roots are not written. A stale load gives
/// an ancestor too, and never makes a root of what is none.
template <class Backend, class Id>
void jump_to_roots(backend::solve_context<Backend, Id>& context, change_flag<Backend, Id>& any) {
  do {
    for_vertices(context, jump_some{context.trees.plain(), any.notes()});
  } while (any.happened());
}

}  // namespace copse::finish
