// Hook-based sampling (Hong, Dhulipala, Shun): every vertex takes its first neighbour as its parent if that is smaller, by a store to its
// own word, so there is no contention; vertices that are still roots then join their first few targets by the rule of the variant's finish.
#pragma once
#include <copse/extend/host_device.hpp>
#include <loops/solve_context.hpp>

#include <cstddef>
#include <string_view>

namespace copse::sample {

/// The first target of v's row if it is smaller than v, otherwise v.
template <class Backend, class Id>
struct first_if_smaller {
  backend::any_rows<Id> rows;
  COPSE_HOST_DEVICE Id operator()(Id v) const noexcept {
    const auto first = rows.offsets[v];
    if (first == rows.offsets[std::size_t{v} + 1]) return v;
    backend::inspected<Backend>(1);
    const Id target = rows.targets[first];
    return target < v ? target : v;
  }
};

struct hb {
  static constexpr std::string_view name = "hb";
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                     backend::finish_function<Backend, Id> finish) {
    if constexpr (Backend::fuses_passes) {
      if (context.fused) return sample_fused(context, graph, finish);
    }
    using first = first_if_smaller<Backend, Id>;
    backend::with_recorder(context.recorder, [&]<class Recorder>(Recorder recorder) {
      context.trees.plant(context.loops, backend::plant_and_note<Recorder, first>{recorder, first{graph.rows}});
    });
    // On a CPU, trees are flattened before the finish unites more arcs. On a GPU they are left as they are, unless the finish needs flat
    // trees: hooks make short paths, and walking these costs less than another pass over all vertices.
    if (context.flat_trees_only || !Backend::on_device) context.trees.flatten(context.loops);
    finish(context, graph.chosen(backend::arc_choice::first_of_roots, context.options.hb_arcs));
    context.trees.flatten(context.loops);
  }

private:
  /// The roots that the first hook leaves over are listed in the same pass, so that no other pass looks for them.
  template <class Backend, class Id>
  static void sample_fused(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                           backend::finish_function<Backend, Id> finish) {
    auto roots = graph.chosen(backend::arc_choice::first_of_roots, context.options.hb_arcs);
    roots.there = context.trees.hook(context.loops, graph.rows, true, nullptr, context.recorder);
    finish(context, roots);
    if (!context.flattened_later) context.trees.flatten(context.loops);
  }
};

}  // namespace copse::sample
