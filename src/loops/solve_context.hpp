// What the phases of one solve share: the backend, the trees, the options, and what one phase tells the next.
#pragma once
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <loops/arcs.hpp>
#include <loops/forest.hpp>
#include <loops/links.hpp>

namespace copse::backend {

template <class Backend, class Id>
struct solve_context {
  const Backend& loops;
  forest<Backend, Id>& trees;
  const solve_request& options;
  phase_times& times;
  link_recorder<Backend, Id> recorder{};  ///< records the links, if a spanning forest is asked for
  bool flat_trees_only = false;           ///< true if the finish works on flat trees only (rule_traits::synchronous)
  /// true if a sampler may hook vertices along the first arcs of their rows by plain stores (forest::hook) instead of calling the finish
  /// for these arcs; only if the finish is a unite
  bool fused = false;
  bool flattened_later = false;  ///< true if a sampler may skip its last flattening, because the finish flattens
  unsigned joined_arcs = 0;      ///< set by a sampler: it has united the ends of so many first arcs of each row
};

/// The function of a finish, which samplers and drivers call: joins the ends of all arcs of the set, until nothing is left to join.
/// Precondition for rules that work in rounds (rule_traits::synchronous): the trees are flat. Postcondition for rules on ids whose roots
/// are not the smallest vertices of their trees (minimal_roots): the trees are flat, because forest::flatten would otherwise rely on p[v]
/// <= v.
template <class Backend, class Id>
using finish_function = void (*)(solve_context<Backend, Id>&, const arc_set<Id>&);

}  // namespace copse::backend
