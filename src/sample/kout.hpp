// k-out sampling in Afforest's form (Sutton, Ben-Nun, Barak 2018; Holm et al. 2019 bound the number of edges that remain between trees).
// Each round joins every vertex with one target of its row by the variant's finish, which runs until nothing changes, and flattens. The
// kinds differ in the arc that they pick:
//   kout          the r-th of the row in round r; rows are sorted, so the first targets are small vertices that many share
//   kout_random   a random one
//   kout_mixed    the first, then random ones
//   kout_maxdeg   the one to the neighbour of highest degree (which reads the whole row, once), then random ones
#pragma once
#include <copse/memory.hpp>
#include <loops/by_degree.hpp>
#include <loops/solve_context.hpp>
#include <sample/none.hpp>

#include <cstddef>
#include <string_view>

namespace copse::sample {

template <backend::arc_choice First, backend::arc_choice Then>
struct kout_of {
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                     backend::finish_function<Backend, Id> finish) {
    if constexpr (First == backend::arc_choice::nth && Backend::fuses_passes) {
      if (context.fused && context.options.kout_rounds > 0) return sample_fused(context, graph, finish);
    }
    context.trees.plant(context.loops, own_root{});
    if (First == backend::arc_choice::nth && First == Then && context.options.kout_rounds == 2 && context.loops.pairs_first_arcs()) {
      finish(context, graph.chosen(backend::arc_choice::first_two));
      context.trees.flatten(context.loops);
      return;
    }
    buffer<Id> heaviest;
    if (First == backend::arc_choice::given && context.options.kout_rounds > 0) {
      heaviest = heaviest_neighbours(context.loops, graph.rows, context.trees.memory());
    }
    for (unsigned round = 0; round < context.options.kout_rounds; ++round) {
      finish(context, round == 0 && !heaviest.empty() ? graph.chosen_by(heaviest.data())
                                                      : graph.chosen(round == 0 ? First : Then, round, context.options.seed));
      flatten_after(context, round);
    }
  }

private:
  template <class Backend, class Id>
  static void flatten_after(backend::solve_context<Backend, Id>& context, unsigned round) {
    if (context.flattened_later && round + 1 == context.options.kout_rounds) return;
    context.trees.flatten(context.loops);
  }

  /// In the first round every vertex is a tree by itself, so a vertex whose first target is smaller is hooked to it by a store. A vertex
  /// whose first target is not smaller cannot be hooked to it, as parents are smaller than their children. The same pass lists these
  /// vertices, and `finish` then unites them with their first targets, which ends the round. The pass also keeps second targets for the
  /// next round: they are next to the first targets, and reading them later would cost as much again.
  template <class Backend, class Id>
  static void sample_fused(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                           backend::finish_function<Backend, Id> finish) {
    const unsigned rounds = context.options.kout_rounds;
    const bool keeps_seconds = Then == backend::arc_choice::nth && rounds > 1;
    buffer<Id> seconds{keeps_seconds ? std::size_t{graph.vertices} : 0, context.trees.memory()};
    auto firsts = graph.chosen(backend::arc_choice::nth, 0);
    firsts.there = context.trees.hook(context.loops, graph.rows, false, keeps_seconds ? seconds.data() : nullptr, context.recorder);
    finish(context, firsts);
    flatten_after(context, 0);
    for (unsigned round = 1; round < rounds; ++round) {
      finish(context, round == 1 && keeps_seconds ? graph.chosen_by(seconds.data()) : graph.chosen(Then, round, context.options.seed));
      flatten_after(context, round);
    }
    context.joined_arcs = Then == backend::arc_choice::nth ? rounds : 1;
  }
};

struct kout : kout_of<backend::arc_choice::nth, backend::arc_choice::nth> {
  static constexpr std::string_view name = "kout";
};
struct kout_random : kout_of<backend::arc_choice::random, backend::arc_choice::random> {
  static constexpr std::string_view name = "kout_random";
};
struct kout_mixed : kout_of<backend::arc_choice::nth, backend::arc_choice::random> {
  static constexpr std::string_view name = "kout_mixed";
};
struct kout_maxdeg : kout_of<backend::arc_choice::given, backend::arc_choice::random> {
  static constexpr std::string_view name = "kout_maxdeg";
};

}  // namespace copse::sample
