// Shiloach and Vishkin (1982), in the form that the GConn paper measures: in each round every root is hooked to the smallest label that an
// arc offers it (an atomic minimum), then all trees are flattened. Done when no arc joins two labels. Only labels of the beginning of a
// round are stored, so if a smaller offer replaces the hook of a tree, the replaced hook is offered again in the next round.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/edge_frontier.hpp>
#include <finish/rounds.hpp>

#include <string_view>

namespace copse::finish {

/// Hooks each root to the smallest label that an arc offers it.
template <class P, class Noter>
struct hook_to_smallest {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    const auto high = a < b ? b : a, low = a < b ? a : b;
    if (low < p.load(high) && p.fetch_min(high, low) > low) any.note();
  }
};
template <class P, class Noter>
hook_to_smallest(P, Noter) -> hook_to_smallest<P, Noter>;

struct shiloach_vishkin {
  static constexpr std::string_view name = "shiloach_vishkin";
  static constexpr std::string_view summary = "rounds: hook roots by atomic minimum, flatten (Shiloach-Vishkin)";
  static constexpr rule_traits traits{.synchronous = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    edge_frontier<Backend, Id> left{context, arcs};
    change_flag<Backend, Id> any{context};
    for (;;) {
      left.for_each(hook_to_smallest{context.trees.plain(), any.notes()});
      if (!any.happened()) return;
      context.trees.flatten(context.loops);
      left.filter();
    }
  }
};

}  // namespace copse::finish
