// Label propagation: every vertex takes the smallest label among its neighbours, until nothing changes. The number of rounds grows with the
// diameter. Labels are updated in place during a round, not at its end.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/rounds.hpp>

#include <string_view>

namespace copse::finish {

/// Replaces the larger of two labels by the smaller one.
template <class P, class Noter>
struct lower_label {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    p.fetch_min(a < b ? v : u, a < b ? a : b);
    any.note();
  }
};
template <class P, class Noter>
lower_label(P, Noter) -> lower_label<P, Noter>;

struct label_propagation {
  static constexpr std::string_view name = "label_propagation";
  static constexpr std::string_view summary = "rounds: take the smallest label of the neighbours";
  static constexpr rule_traits traits{.root_based = false, .synchronous = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    change_flag<Backend, Id> any{context};
    do {
      for_arcs(context, arcs, lower_label{context.trees.plain(), any.notes()});
    } while (any.happened());
  }
};

}  // namespace copse::finish
