// CC (Cong and Muzio 2014, Algorithm 1): every edge grafts the larger of its ends' labels onto the smaller one, by a store, then all trees
// are flattened (shortcut); done when a pass over the edges finds no two labels that differ.
// Invariant: during a pass every word holds a label of the pass's beginning, because only such labels are read and stored, and only words
// of such labels are written. So a tree moves as a whole, and downwards only: no cycle, and its root is its smallest vertex. Two grafts
// of one label may overwrite each other; the lost one is offered again by its edge, which stays in every pass. A pass with a graft leaves
// fewer trees; every root next to a smaller one is grafted, so at most log2 n passes graft.
// Each label is read once: reading it again might see it lowered below the other, and graft a cycle.
// Unlike shiloach_vishkin, which takes the smallest offer by an atomic minimum, it has no read-modify-write at all.
#pragma once
#include <copse/core/rule_traits.hpp>
#include <finish/graft.hpp>

#include <string_view>

namespace copse::finish {

struct cc {
  static constexpr std::string_view name = "cc";
  static constexpr std::string_view summary = "rounds: graft labels by stores, flatten (CC, Cong and Muzio)";
  static constexpr rule_traits traits{.synchronous = true};

  template <class Backend, class Id>
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& arcs) {
    const auto p = with.trees.plain();
    changes any;
    for (;;) {
      {
        const phase_timer time{with.times, "graft"};
        for_arcs(with, arcs, [p, &any](Id u, Id v) {
          const Id a = p.load(u), b = p.load(v);
          if (a == b) return;
          graft(p, a, b);
          any.note();
        });
      }
      if (!any.happened()) return;
      shortcut(with);
    }
  }
};

}  // namespace copse::finish
