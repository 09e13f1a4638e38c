// Shiloach and Vishkin (1982) in the original form: conditional grafts, hooks of stagnant trees, one jump at a time (sv_rounds.hpp says why
// it is right); the baseline of Cong and Muzio. The finish shiloach_vishkin is the GConn paper's form by minima, which flattens fully and
// so needs no stagnant hooks. The giant of a sampler may hook as any tree does. Each round skips the arcs of the vertices that are the
// giant's children at that time, which loses no edge: an edge would be skipped at both ends only if both ends were children of the same
// vertex.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/sv_rounds.hpp>

#include <string_view>

namespace copse::finish {

struct sv {
  static constexpr std::string_view name = "sv";
  static constexpr std::string_view summary = "rounds: graft roots, hook stagnant trees, jump once (classic Shiloach-Vishkin)";
  static constexpr rule_traits traits{.minimal_roots = false, .synchronous = true, .aux = aux_array::stamps};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    backend::arc_set<Id> active = arcs;
    sv_rounds<Backend, Id> rounds{context};
    while (rounds.run([&](auto f) { for_arcs(context, active, f); })) {
      if (active.choice == backend::arc_choice::outside) active.giant = context.trees.parent(context.loops, active.giant);
    }
  }
};

}  // namespace copse::finish
