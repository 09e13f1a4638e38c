// Sampling by one breadth-first search from a vertex of high degree: the highest of a small random sample. Reads most arcs if the graph has
// a giant of small diameter; on long paths there is next to nothing to do in parallel. The GConn paper never saw it win.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <loops/by_degree.hpp>
#include <loops/flatten.hpp>
#include <loops/frontier.hpp>
#include <loops/solve_context.hpp>

#include <cstddef>
#include <string_view>

namespace copse::sample {

template <class Labels>
struct was_reached_from {
  Labels labels;
  typename Labels::id start;
  COPSE_HOST_DEVICE bool operator()(std::size_t v) const { return labels.load(static_cast<typename Labels::id>(v)) == start; }
};
template <class Labels>
struct reached_are_named {
  Labels labels;
  typename Labels::id start, name;
  COPSE_HOST_DEVICE typename Labels::id operator()(typename Labels::id v) const { return labels.load(v) == start ? name : v; }
};

struct bfs {
  static constexpr std::string_view name = "bfs";
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                     backend::finish_function<Backend, Id> /*finish*/) {
    using words = typename Backend::template parents<Id>;
    const Id n = graph.vertices;
    if (n == 0) return;
    buffer<Id> label_words{n, context.trees.memory()};
    const words labels{label_words.data()};
    context.loops.for_each(n, backend::name_by_itself<words>{labels});
    const Id start = busiest_of(context.loops, graph.rows, context.options.giant_samples, random_stream{context.options.seed, 1});
    auto reached = backend::search_frontier(context.loops, graph.rows, context.trees.memory());
    backend::with_recorder(context.recorder, [&]<class Recorder>(Recorder recorder) {
      backend::reach(graph.rows, labels, start, reached, backend::note_reached<Recorder>{recorder});
    });
    // The label of all reached vertices is the smallest of them.
    const auto smallest = static_cast<Id>(context.loops.first_that(0, n, was_reached_from<words>{labels, start}));
    if constexpr (decltype(context.recorder)::by_root) {
      context.recorder.hand_over(context.loops, smallest, start);
    }
    context.trees.plant(context.loops, reached_are_named<words>{labels, start, smallest});
  }
};

}  // namespace copse::sample
