// What the rules of Cong and Muzio share: one graft, by a store, and the shortcut that follows a pass of them.
#pragma once
#include <copse/extend/host_device.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

/// Points the larger of two different labels at the smaller one. Another thread's graft of the same label may be lost: it is a store.
template <class P>
COPSE_HOST_DEVICE void graft(P p, typename P::id a, typename P::id b) {
  const auto high = a < b ? b : a, low = a < b ? a : b;
  if (low < p.load(high)) p.store(high, low);
}

/// Flattens all trees.
template <class Backend, class Id>
void shortcut(backend::solve_context<Backend, Id>& context) {
  const round_timer<Backend> time{context, "shortcut"};
  context.trees.flatten(context.loops);
}

}  // namespace copse::finish
