// The driver of connected components: plant, sample, find the giant, finish, label. Sampler and finish are function pointers, so that this
// code is compiled once per backend and width of ids. (spanning_forest.hpp is the driver of spanning forests.)
#pragma once
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <loops/solve_context.hpp>
#include <sample/giant.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace copse::drivers {

/// Measures what a sampler achieved, for a solve that counts its work: how many vertices the giant has, and how many arcs are left to
/// visit. Precondition: the graph has rows; trees are flat; trees.exchange(), which swaps the names of the giant and of vertex 0, was not
/// called. O(n + arcs).
template <class Backend, class Id>
void measure_coverage(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph, Id giant, work_counts& work) {
  std::atomic<std::uint64_t> giant_vertices{0}, outside_arcs{0}, crossing_arcs{0};
  context.loops.for_blocks(graph.vertices, [&](std::size_t begin, std::size_t end) {
    std::uint64_t inside = 0, outside = 0, crossing = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Id v = static_cast<Id>(i), label = context.trees.parent(v);
      inside += label == giant;
      if (label != giant) outside += graph.rows.degree(v);
      for (const Id target : graph.rows.row(v)) crossing += context.trees.parent(target) != label;
    }
    giant_vertices += inside;
    outside_arcs += outside;
    crossing_arcs += crossing;
  });
  work.giant_vertices = giant_vertices;
  work.outside_arcs = outside_arcs;
  work.crossing_arcs = crossing_arcs;
}

/// Copies the totals of the counting accessor to `work`. Precondition: work.sampled_arcs was set when sampling ended.
template <class Backend>
void take_counts(work_counts& work) {
  const auto all = Backend::template parents<std::uint32_t>::totals();
  work.finish_arcs = all.arcs - work.sampled_arcs;
  work.unites = all.calls;
  work.loads = all.loads;
  work.stores = all.stores;
  work.longest_path = all.longest_call;
  work.call_loads = all.call_loads;
  work.swaps = all.swaps;
  work.failed_swaps = all.failed_swaps;
}

template <class Backend, class Id>
using sampling = void (*)(backend::solve_context<Backend, Id>&, const backend::arc_set<Id>&, backend::finish_function<Backend, Id>);

template <class Backend, class Id>
struct plan {
  sampling<Backend, Id> sample;
  bool sampler_skips_giant, sampler_sees_all;
  backend::finish_function<Backend, Id> finish;
  rule_traits traits;
  bool unites = false;  ///< true if the finish unites the ends of each arc by a union-find rule (finish/united.hpp)
};

/// Measures the time of its scope. On a GPU, where loops end after their calls have returned, it uses the GPU's clock, and only if times
/// are asked for.
template <class Backend>
class phase_clock {
public:
  phase_clock(const Backend& loops, phase_times& times, std::string_view name) noexcept : loops_{loops}, times_{times}, name_{name} {}
  phase_clock(const phase_clock&) = delete;
  ~phase_clock() {
    if constexpr (Backend::on_device) {
      loops_.lap(name_);
    } else {
      times_.add(name_, std::chrono::duration<double>(clock::now() - start_).count());
    }
  }

private:
  using clock = std::chrono::steady_clock;
  const Backend& loops_;
  phase_times& times_;
  std::string_view name_;
  clock::time_point start_ = clock::now();
};

/// The part that components and spanning forests have in common: plants trees, samples, and joins the trees along all arcs. Returns the
/// arcs of the finish. Precondition: symmetric rows if the sampler skips the giant or the finish needs them.
template <class Backend, class Id>
backend::arc_set<Id> join(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how,
                          [[maybe_unused]] work_counts* work = nullptr) {
  context.flat_trees_only = how.traits.synchronous;
  if constexpr (Backend::fuses_passes) {
    context.fused = how.unites && context.loops.fuses();
    // The finish may flatten the sampled trees while it joins them, unless its rule moves subtrees: then a root that one thread is about to
    // store may be stale.
    context.flattened_later = context.fused && !how.traits.moves_subtrees;
  }
  backend::arc_set<Id> arcs = graph;
  {
    const phase_clock<Backend> time{context.loops, context.times, "sample"};
    how.sample(context, graph, how.finish);
    if (context.fused && how.sampler_skips_giant && graph.vertices > 0) {
      if constexpr (Backend::fuses_passes) {
        arcs = graph.outside(no_vertex<Id>);
        arcs.joined_arcs = context.joined_arcs;
        arcs.there =
            context.trees.vote(context.loops, graph.rows, context.options.giant_samples, context.options.seed, context.flattened_later);
      }
    } else if (how.sampler_skips_giant && graph.vertices > 0) {
      arcs = graph.outside(sample::giant_of(context.trees, context.loops, context.options.giant_samples, context.options.seed));
      if constexpr (Backend::counts) {
        const auto sampled = Backend::template parents<Id>::totals();
        measure_coverage(context, graph, arcs.giant, *work);
        work->sampled_arcs = sampled.arcs;
      }
      if (how.traits.synchronous && how.traits.minimal_roots) {
        // The giant gets the label 0 for the rounds, if it has another. Otherwise a rule whose roots are the smallest of their trees would
        // replace its label by smaller ones, from the border of the giant inwards, over arcs that should be skipped. Rules that also hook
        // upwards may replace any label, even 0; they look for the giant's label in each round and skip its arcs themselves
        // (finish/sv.hpp).
        arcs.giant_is_zero = arcs.giant != 0;
        context.trees.exchange(context.loops, arcs.giant);
      }
    }
  }
  if (!how.sampler_sees_all) {
    const phase_clock<Backend> time{context.loops, context.times, "finish"};
    how.finish(context, arcs);
  }
  return arcs;
}

/// Writes canonical labels, one per vertex. Precondition: symmetric rows if the sampler skips the giant or the finish needs them. A backend
/// that counts fills `work`, and counts for one solve at a time.
template <class Backend, class Id>
void solve(const Backend& loops, const backend::arc_set<Id>& graph, std::span<Id> labels, const plan<Backend, Id>& how,
           const solve_request& options, phase_times& times, [[maybe_unused]] work_counts* work = nullptr) {
  if constexpr (Backend::counts) Backend::template parents<Id>::reset();
  backend::forest<Backend, Id> trees{labels, how.traits.aux, options.memory};
  backend::solve_context<Backend, Id> context{loops, trees, options, times};
  const backend::arc_set<Id> arcs = join(context, graph, how, work);
  const phase_clock<Backend> time{loops, times, "labels"};
  trees.label(loops, how.traits.minimal_roots && !arcs.giant_is_zero, arcs.names());
  if constexpr (Backend::counts) take_counts<Backend>(*work);
}

}  // namespace copse::drivers
