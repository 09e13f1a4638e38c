// The driver of connected components: plant, sample, find the giant, finish, label. Sampler and finish are functions, so that this is
// compiled once a backend and width of ids. (span.hpp is that of spanning forests.)
#pragma once
#include <backend/solving.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/phases.hpp>
#include <copse/core/solve_options.hpp>
#include <copse/core/work.hpp>
#include <drivers/coverage.hpp>
#include <sample/giant.hpp>

namespace copse::drivers {

template <class Backend, class Id>
using sampling = void (*)(backend::solving<Backend, Id>&, const backend::arc_set<Id>&, backend::settler<Backend, Id>);

template <class Backend, class Id>
struct plan {
  sampling<Backend, Id> sample;
  bool sampler_skips_giant, sampler_sees_all;
  backend::settler<Backend, Id> settle;
  rule_traits traits;
};

/// What components and spanning forests have in common: the trees are planted, sampled, and joined by all arcs. Returns the arcs of the
/// finish. Precondition: symmetric rows when the sampler skips the giant or the finish needs them.
template <class Backend, class Id>
backend::arc_set<Id> join(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how,
                          [[maybe_unused]] work_counts* work = nullptr) {
  with.flat_trees_only = how.traits.synchronous;
  backend::arc_set<Id> arcs = graph;
  {
    const phase_timer time{with.times, "sample"};
    how.sample(with, graph, how.settle);
    if (how.sampler_skips_giant && graph.vertices > 0) {
      arcs = graph.outside(sample::giant_of(with.trees, with.loops, with.options.giant_samples, with.options.seed));
      if constexpr (Backend::counts) {
        const auto sampled = Backend::template parents<Id>::totals();
        measure_coverage(with, graph, arcs.giant, *work);
        work->sampled_arcs = sampled.arcs;
      }
      if (how.traits.synchronous && how.traits.minimal_roots) {
        // A label that is not the smallest would be worn away by smaller ones, from the giant's edge inwards, over arcs not visited.
        // Rules that hook upwards too keep the giant's arcs unvisited by themselves: to them no label is safe.
        arcs.giant_is_zero = arcs.giant != 0;
        with.trees.exchange(with.loops, arcs.giant);
      }
    }
  }
  if (!how.sampler_sees_all) {
    const phase_timer time{with.times, "finish"};
    how.settle(with, arcs);
    if constexpr (requires { with.loops.wait(); }) with.loops.wait();  // its loops end later than its calls
  }
  return arcs;
}

/// Canonical labels. Precondition: as join(). A backend that counts fills `work`, and counts for one solve at a time.
template <class Backend, class Id>
buffer<Id> solve(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how, const solve_options& options,
                 phase_times& times, [[maybe_unused]] work_counts* work = nullptr) {
  if constexpr (Backend::counts) Backend::template parents<Id>::reset();
  backend::forest<Backend, Id> trees{graph.vertices, how.traits.aux, options.memory};
  backend::solving<Backend, Id> with{loops, trees, options, times};
  const backend::arc_set<Id> arcs = join(with, graph, how, work);
  const phase_timer time{times, "labels"};
  auto labels = trees.labels(loops, how.traits.minimal_roots && !arcs.giant_is_zero, arcs.names());
  if constexpr (requires { loops.wait(); }) loops.wait();
  if constexpr (Backend::counts) take_counts<Backend>(*work);
  return labels;
}

}  // namespace copse::drivers
