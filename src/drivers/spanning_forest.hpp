// The driver of spanning forests: the phases of components (components.hpp), in which every link is recorded with the edge that made it;
// then the edges are collected; then labels, if the caller asks for them.
// This works for every variant that links a root once, from one thread, for one edge between two trees: with n vertices and k trees left,
// n - k edges are recorded, and they have no cycle, because each of them joined two trees.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <drivers/components.hpp>
#include <loops/links.hpp>
#include <loops/solve_context.hpp>

namespace copse::drivers {

/// One forest, step by step, so that each can be timed on its own.
template <class Backend, class Id>
class forest_driver {
public:
  /// Takes `loops`, `graph`, `how` and `options` by reference. Precondition: as join(), and the plan's finish records its links.
  forest_driver(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how, const solve_options& options,
                phase_times& times)
      : loops_{loops},
        graph_{graph},
        how_{how},
        times_{times},
        words_{graph.vertices, options.memory},
        trees_{words_.span(), how.traits.aux, options.memory},
        links_{loops, graph.vertices, options.memory},
        context_{loops, trees_, options, times, links_.notes()} {}
  forest_driver(const forest_driver&) = delete;

  /// Records all edges of the forest.
  void join() { drivers::join(context_, graph_, how_); }

  /// Gathers the recorded edges.
  [[nodiscard]] buffer<edge<Id>> collect() {
    const phase_timer time{times_, "collect"};
    return links_.collect(loops_, trees_);
  }

  /// Canonical labels; the trees are gone then.
  [[nodiscard]] buffer<Id> labels() {
    const phase_timer time{times_, "labels"};
    trees_.label(loops_, how_.traits.minimal_roots, backend::naming<Id>{});
    if constexpr (requires { loops_.wait(); }) loops_.wait();
    return std::move(words_);
  }

private:
  const Backend& loops_;
  const backend::arc_set<Id>& graph_;
  const plan<Backend, Id>& how_;
  phase_times& times_;
  buffer<Id> words_;
  backend::forest<Backend, Id> trees_;
  backend::links<Backend, Id> links_;
  backend::solve_context<Backend, Id> context_;
};

/// n - k edges, and labels if the caller asked for them.
template <class Id>
struct forest_arrays {
  buffer<edge<Id>> edges;
  buffer<Id> labels;
};

template <class Backend, class Id>
forest_arrays<Id> spanning_forest(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how,
                                  const solve_options& options, phase_times& times, bool with_labels) {
  forest_driver<Backend, Id> forest{loops, graph, how, options, times};
  forest.join();
  forest_arrays<Id> result{forest.collect(), {}};
  if (with_labels) result.labels = forest.labels();
  return result;
}

}  // namespace copse::drivers
