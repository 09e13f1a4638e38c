// CC-updt (Cong and Muzio 2014, Algorithm 2): cc, with the edges rewritten to their ends' labels after every shortcut (update). A graft
// then looks nothing up, and the look-ups of the update are of ever fewer labels, which caches and coalescing favour. The edges that are
// rewritten are a copy, or the list itself if it may be overwritten (moving_edges.hpp). Correct for the same reason as cc: a rewritten edge
// joins the same two trees. In the copy, edges whose ends have met are dropped, which the paper does not do. It ends when only loops are
// left. The ends must be labels from the start, and they are: without sampling every vertex is its own label, and `stages` passes labels.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/moving_edges.hpp>
#include <finish/rounds.hpp>

#include <string_view>

namespace copse::finish {

template <class P>
struct graft_ends {
  P p;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    if (u != v) graft(p, u, v);
  }
};
template <class P>
graft_ends(P) -> graft_ends<P>;

struct cc_updt {
  static constexpr std::string_view name = "cc_updt";
  static constexpr std::string_view summary = "rounds: graft, flatten, move the edges to their labels (CC-updt, Cong and Muzio)";
  static constexpr rule_traits traits{.synchronous = true, .needs_mutable_coo = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    moving_edges<Backend, Id> edges{context, arcs};
    while (edges.any_left()) {
      {
        const round_timer<Backend> time{context, "graft"};
        edges.for_each(graft_ends{context.trees.plain()});
      }
      shortcut(context);
      const round_timer<Backend> time{context, "update"};
      edges.move();
    }
  }
};

}  // namespace copse::finish
