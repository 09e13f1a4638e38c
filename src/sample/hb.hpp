// Hook-based sampling (Hong, Dhulipala, Shun): every vertex takes its first neighbour as its parent if that is smaller, by a store to its
// own word, so nobody contends; vertices that are still roots then join their first few targets by the row's own rule.
#pragma once
#include <backend/solving.hpp>
#include <copse/core/host_device.hpp>

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
  static void sample(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> settle) {
    if constexpr (requires { requires Backend::fuses_passes; }) {
      if (with.fused) return sample_fused(with, graph, settle);
    }
    using first = first_if_smaller<Backend, Id>;
    backend::with_recorder(with.made, [&]<class Recorder>(Recorder made) {
      with.trees.plant(with.loops, backend::plant_and_note<Recorder, first>{made, first{graph.rows}});
    });
    // Hooks make short paths. On a GPU walking them costs less than another pass over all vertices.
    if (with.flat_trees_only || !requires { with.loops.stream(); }) with.trees.flatten(with.loops);
    settle(with, graph.chosen(backend::arc_choice::first_of_roots, with.options.hb_arcs));
    with.trees.flatten(with.loops);
  }

private:
  /// The roots that the first hook leaves over are listed in the same pass, so that no other pass looks for them.
  template <class Backend, class Id>
  static void sample_fused(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> settle) {
    auto roots = graph.chosen(backend::arc_choice::first_of_roots, with.options.hb_arcs);
    roots.there = with.trees.hook(with.loops, graph.rows, true, nullptr, with.made);
    settle(with, roots);
    if (!with.flattened_later) with.trees.flatten(with.loops);
  }
};

}  // namespace copse::sample
