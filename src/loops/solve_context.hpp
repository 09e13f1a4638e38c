// What the phases of one solve share.
#pragma once
#include <copse/options.hpp>
#include <copse/report.hpp>
#include <loops/arcs.hpp>
#include <loops/forest.hpp>
#include <loops/links.hpp>

namespace copse::backend {

template <class Backend, class Id>
struct solve_context {
  const Backend& loops;
  forest<Backend, Id>& trees;
  const solve_options& options;
  phase_times& times;
  link_recorder<Backend, Id> made{};  ///< of links, if a spanning forest is asked for
  bool flat_trees_only = false;       ///< does the finish work on flat trees only (rule_traits::synchronous)?
  bool fused = false;                 ///< may a sampler hook by stores (forest::hook), as no round looks at its arcs again?
  bool flattened_later = false;       ///< need a sampler not flatten last of all, as the finish does?
  unsigned joined_arcs = 0;           ///< a sampler tells: so many of each row are joined for good
};

/// Joins the ends of all arcs of the set, until nothing is left to join. What a finish offers, to samplers and the driver alike.
/// Precondition for rules that work in rounds (rule_traits::synchronous): the trees are flat.
/// Postcondition for rules on ids whose roots are not the smallest of their trees (minimal_roots): the trees are flat, because
/// forest::flatten counts on p[v] <= v otherwise.
template <class Backend, class Id>
using finish_function = void (*)(solve_context<Backend, Id>&, const arc_set<Id>&);

}  // namespace copse::backend
