// Pointer jumping in lock step: passes in which every vertex takes its grandparent for its parent. A path of length l is flat after some
// log2 l of them, where a walk from each of its vertices takes l * l / 2 steps.
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

/// For jump_once: there was a jump.
template <class Noter>
struct note_jump {
  Noter any;
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id /*parent*/) const {
    any.note();
  }
};
template <class Noter>
note_jump(Noter) -> note_jump<Noter>;

/// Until every parent is a root. In the last pass nobody jumped: each word, which its own vertex alone writes, named a root, and the words
/// of roots are not written. A stale load gives an ancestor too, and never makes a root of what is none.
template <class Backend, class Id>
void jump_to_roots(backend::solve_context<Backend, Id>& context, change_flag<Backend, Id>& any) {
  do {
    for_vertices(context, jump_once{context.trees.plain(), note_jump{any.notes()}});
  } while (any.happened());
}

}  // namespace copse::finish
