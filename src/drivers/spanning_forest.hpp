// The driver of spanning forests: the phases of components (components.hpp), in which every link is recorded with the edge that made it;
// then the edges are collected, and vertices are labelled if the caller asks for it. This works for every variant that links each root
// once, from one thread, for one edge between two trees. With n vertices and k remaining trees, n - k edges are recorded, and they have no
// cycle, because each of them joined two trees.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/phase_times.hpp>
#include <drivers/components.hpp>
#include <loops/links.hpp>
#include <loops/solve_context.hpp>

#include <cstddef>
#include <span>

namespace copse::drivers {

/// One forest, step by step, so that each can be timed on its own.
template <class Backend, class Id>
class forest_driver {
public:
  /// Keeps references to `loops`, `graph`, `how` and `options`. `words`: one per vertex, for the trees. Precondition: the plan's finish
  /// records its links, and rows are symmetric if the sampler skips the giant or the finish needs that.
  forest_driver(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how, std::span<Id> words,
                const solve_request& options, phase_times& times)
      : loops_{loops},
        graph_{graph},
        how_{how},
        times_{times},
        trees_{words, how.traits.aux, options.memory},
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

  /// Replaces the parents by canonical labels, in the same memory.
  void label() {
    const phase_timer time{times_, "labels"};
    trees_.label(loops_, how_.traits.minimal_roots, backend::naming<Id>{});
    loops_.wait();
  }

private:
  const Backend& loops_;
  const backend::arc_set<Id>& graph_;
  const plan<Backend, Id>& how_;
  phase_times& times_;
  backend::forest<Backend, Id> trees_;
  backend::links<Backend, Id> links_;
  backend::solve_context<Backend, Id> context_;
};

/// Returns the edges of a spanning forest: one for each vertex except one vertex of each component. `labels`: one per vertex if the caller
/// wants labels; otherwise empty.
template <class Backend, class Id>
buffer<edge<Id>> spanning_forest(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how,
                                 std::span<Id> labels, const solve_request& options, phase_times& times) {
  buffer<Id> scratch{labels.empty() ? std::size_t{graph.vertices} : 0, options.memory};
  forest_driver<Backend, Id> forest{loops, graph, how, labels.empty() ? scratch.span() : labels, options, times};
  forest.join();
  auto edges = forest.collect();
  if (!labels.empty()) forest.label();
  return edges;
}

}  // namespace copse::drivers
