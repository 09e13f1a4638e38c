// Path splitting and halving for use with splice_atomic, which moves subtrees between trees. Each step is a compare-and-swap, which
// fails if the parent has changed. With other rules, a plain store of an old grandparent only makes a path longer. Here it could move a
// vertex back to the tree that another thread moved it out of. That thread may have relied on another link to join the two trees, whose
// own thread in turn relied on the new parent of this vertex; then the trees would never be joined. So a parent must never be replaced
// by a larger one.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/find/split.hpp>

#include <concepts>

namespace copse::find {

/// The find rule `Find` for use with splice_atomic: `split` and `halve` store each parent by a compare-and-swap. `naive` stores nothing and
/// runs unchanged. So does `compress`, which would be wrong, because splice_atomic may move its vertex to another tree after it found the
/// root: variants that combine the two are refused.
template <class Find>
struct by_swap {
  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    constexpr bool halves = std::same_as<Find, halve>;
    if constexpr (!halves && !std::same_as<Find, split>) {
      return Find{}(p, v);
    } else {
      for (;;) {
        const auto word = p.load(v);
        const auto parent = p.parent(word);
        const auto above = p.load(parent);
        if (p.is_root(parent, above)) return parent;
        p.cas(v, word, p.link(p.parent(above)));
        v = halves ? p.parent(above) : parent;
      }
    }
  }
};

}  // namespace copse::find
