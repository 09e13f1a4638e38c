// Stergiou, Rughwani, Tsioutsiouliklis (2018), as the GConn paper measures it: with the labels of the previous round, every arc offers each
// end's label to the other end itself, then each vertex looks up the label of its new label. There are two arrays of labels; offers are
// atomic minima.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/rounds.hpp>

#include <string_view>

namespace copse::finish {

/// Lowers the label of each end to the label that the other end had in the previous round, if that is smaller.
template <class P>
struct offer_to_ends {
  P before, p;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = before.load(u), b = before.load(v);
    if (a < p.load(v)) p.fetch_min(v, a);
    if (b < p.load(u)) p.fetch_min(u, b);
  }
};
template <class P>
offer_to_ends(P, P) -> offer_to_ends<P>;
/// Lowers the label of v to the label that this label, as a vertex, had in the previous round, if that is smaller.
template <class P>
struct shorten_through_before {
  P before, p;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto shorter = before.load(p.load(v));
    if (shorter < p.load(v)) p.fetch_min(v, shorter);
  }
};
template <class P>
shorten_through_before(P, P) -> shorten_through_before<P>;

struct stergiou {
  static constexpr std::string_view name = "stergiou";
  static constexpr std::string_view summary = "rounds: offer the previous label to neighbours, shortcut through it (Stergiou et al.)";
  static constexpr rule_traits traits{.root_based = false, .synchronous = true, .aux = aux_array::labels};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = context.trees.plain();
    labels_before<Backend, Id> rounds{context};
    const auto before = rounds.labels();
    do {
      for_arcs(context, arcs, offer_to_ends{before, p});
      for_vertices(context, shorten_through_before{before, p});
    } while (rounds.take_over());
  }
};

}  // namespace copse::finish
