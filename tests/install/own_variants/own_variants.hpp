// A sampler, a finish and a wrong rule from outside copse, which own_copse has in addition to copse's (CMakeLists.txt).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <finish/rounds.hpp>
#include <sample/none.hpp>

namespace own {
/// Joins every vertex with the first target of its row. The finish then passes over the giant, for which it needs both directions of edges.
struct first_target {
  static constexpr std::string_view name = "first_target";
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(copse::backend::solve_context<Backend, Id>& context, const copse::backend::arc_set<Id>& graph,
                     copse::backend::finish_function<Backend, Id> finish) {
    context.trees.plant(context.loops, copse::sample::own_root{});
    finish(context, graph.chosen(copse::backend::arc_choice::nth, 0));
    context.trees.flatten(context.loops);
  }
};

/// The larger of two labels falls to the smaller one.
template <class P, class Noter>
struct fall {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    p.fetch_min(a < b ? v : u, a < b ? a : b);
    any.note();
  }
};
struct falling_labels {
  static constexpr std::string_view name = "falling_labels", summary = "rounds: the larger label of each arc falls to the smaller";
  static constexpr copse::rule_traits traits{.root_based = false, .synchronous = true};

  template <class Backend, class Id>
  static void run(copse::backend::solve_context<Backend, Id>& context, const copse::backend::arc_set<Id>& arcs) {
    copse::finish::change_flag<Backend, Id> any{context};
    const auto p = context.trees.plain();
    do {
      copse::finish::for_arcs(context, arcs, fall<std::remove_const_t<decltype(p)>, decltype(any.notes())>{p, any.notes()});
    } while (any.happened());
  }
};

/// Wrong on purpose: no arc of every seventh vertex is joined.
template <class Unite>
struct forgetful : Unite {
  static constexpr std::string_view name = "forgetful", summary = "wrong on purpose: some edges are forgotten";
  template <class P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v) const {
    return u % 7 == 6 || v % 7 == 6 ? u : Unite::operator()(p, u, v);
  }
};

}  // namespace own
