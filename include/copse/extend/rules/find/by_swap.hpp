// Path splitting and halving where subtrees move between trees (splice_atomic): a step is a swap that fails when the parent has changed.
// Elsewhere a store of an old grandparent only makes a path longer. Here it could bring a vertex back to a tree that it was moved out of,
// while the thread that moved it has joined the two over an edge that another thread was to join over this one: parents must never grow.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/find/split.hpp>

#include <concepts>

namespace copse::find {

/// The find of that name, its stores swaps. Compress stores roots, which no swap makes right here: the table refuses it with such rules.
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
