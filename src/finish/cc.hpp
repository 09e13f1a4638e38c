// CC (Cong and Muzio 2014, Algorithm 1): every edge grafts the larger of its ends' labels onto the smaller one, by a store, then all trees
// are flattened (shortcut). Done when a pass over the edges finds no two labels that differ.
//
// Invariant: during a pass every word holds a label that some vertex had at the beginning of the pass, because only such labels are read
// and stored, and only the words of such labels are written. So a tree moves as a whole, and only under a smaller vertex: there is no
// cycle, and its root is its smallest vertex. Two grafts of one label may overwrite each other; the lost graft is offered again by its
// edge, as long as the edge's ends are in two trees. Every root next to a smaller one is grafted, so at most log2 n passes graft. Each
// label is read once: if it were read again, it might have become smaller than the other, and the graft might close a cycle. A stale label
// does no harm, because the word has held it in this pass: passes meet at barriers. A thread that saw two labels differ grafts, or saw that
// another thread had, so a pass that is not the last leaves fewer roots. Unlike shiloach_vishkin, which takes the smallest offer by an
// atomic minimum, it has no read-modify-write at all.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/edge_frontier.hpp>
#include <finish/rounds.hpp>

#include <string_view>

namespace copse::finish {

/// Grafts the larger of the labels of two ends onto the smaller one.
template <class P, class Noter>
struct graft_labels {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    graft(p, a, b);
    any.note();
  }
};
template <class P, class Noter>
graft_labels(P, Noter) -> graft_labels<P, Noter>;

struct cc {
  static constexpr std::string_view name = "cc";
  static constexpr std::string_view summary = "rounds: graft labels by stores, flatten (CC, Cong and Muzio)";
  static constexpr rule_traits traits{.synchronous = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    edge_frontier<Backend, Id> left{context, arcs};
    change_flag<Backend, Id> any{context};
    for (;;) {
      {
        const round_timer<Backend> time{context, "graft"};
        left.for_each(graft_labels{context.trees.plain(), any.notes()});
      }
      if (!any.happened()) return;
      shortcut(context);
      left.filter();
    }
  }
};

}  // namespace copse::finish
