// No sampling: every vertex its own tree, and the finish sees every arc.
#pragma once
#include <copse/extend/host_device.hpp>
#include <loops/solve_context.hpp>

#include <string_view>

namespace copse::sample {

/// Makes every vertex its own root.
struct own_root {
  template <class Id>
  COPSE_HOST_DEVICE Id operator()(Id v) const noexcept {
    return v;
  }
};

/// Every sampler has these members. `sample` makes the first trees, joins some of them by calling `finish`, the finish of the variant, for
/// some of the arcs, and leaves the trees flat. `needs_rows`: true if it reads rows. `skips_giant`: true if it leaves a giant whose
/// vertices the finish may skip, so both directions of every edge must be stored. `regroups_edges`: true if it passes every edge to the
/// finish itself, so that no finish follows.
struct none {
  static constexpr std::string_view name = "none";
  static constexpr bool needs_rows = false, skips_giant = false, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& /*graph*/,
                     backend::finish_function<Backend, Id> /*finish*/) {
    context.trees.plant(context.loops, own_root{});
  }
};

}  // namespace copse::sample
