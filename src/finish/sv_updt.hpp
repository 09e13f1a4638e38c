// SV-updt (Cong and Muzio 2014): the rounds of sv, with the edges rewritten to their ends' parents after each round (update), in a copy or
// in place. Correct for the same reason as sv: a parent is in the same tree as its child for ever, so a rewritten edge joins the same
// trees, and an edge that has become a loop has nothing to join.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/moving_edges.hpp>
#include <finish/sv_rounds.hpp>

#include <string_view>

namespace copse::finish {

struct sv_updt {
  static constexpr std::string_view name = "sv_updt";
  static constexpr std::string_view summary = "rounds of classic Shiloach-Vishkin, then move the edges to their parents (SV-updt)";
  static constexpr rule_traits traits{.minimal_roots = false, .synchronous = true, .needs_mutable_coo = true, .aux = aux_array::stamps};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    moving_edges<Backend, Id> edges{context, arcs};
    sv_rounds<Backend, Id> rounds{context};
    while (rounds.run([&](auto f) { edges.for_each(f); })) {
      const round_timer<Backend> time{context, "update"};
      edges.move();
    }
  }
};

}  // namespace copse::finish
