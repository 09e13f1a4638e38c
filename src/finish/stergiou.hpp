// Stergiou, Rughwani, Tsioutsiouliklis (2018), as the GConn paper measures it: with the labels of the previous round, every arc offers
// each end's label to the other end itself, then each vertex looks up the label of its new label. Two arrays; messages by atomic minimum.
#pragma once
#include <copse/core/rule_traits.hpp>
#include <finish/label_rounds.hpp>

#include <string_view>

namespace copse::finish {

struct stergiou {
  static constexpr std::string_view name = "stergiou";
  static constexpr std::string_view summary = "rounds: offer the previous label to neighbours, shortcut through it (Stergiou et al.)";
  static constexpr rule_traits traits{.root_based = false, .synchronous = true, .aux = aux_array::labels};

  template <class Backend, class Id>
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& arcs) {
    const auto p = with.trees.plain();
    labels_before<Backend, Id> rounds{with};
    const auto before = rounds.labels();
    do {
      for_arcs(with, arcs, [=](Id u, Id v) {
        const Id a = before.load(u), b = before.load(v);
        if (a < p.load(v)) p.fetch_min(v, a);
        if (b < p.load(u)) p.fetch_min(u, b);
      });
      for_vertices(with, [=](Id v) {
        const Id shorter = before.load(p.load(v));
        if (shorter < p.load(v)) p.fetch_min(v, shorter);
      });
    } while (rounds.take_over());
  }
};

}  // namespace copse::finish
