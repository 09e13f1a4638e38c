// k-out sampling in Afforest's form (Sutton, Ben-Nun, Barak 2018; Holm et al. 2019 bound what is left): each round joins every vertex with
// one target of its row, by the row's own rule to its fixpoint, and flattens. Kinds differ in the arc they pick:
//   kout          the r-th of the row in round r; rows are sorted, so the first targets are small vertices that many share
//   kout_random   a random one
//   kout_mixed    the first, then random ones
//   kout_maxdeg   the one to the neighbour of highest degree (which reads the whole row, once), then random ones
#pragma once
#include <backend/heaviest.hpp>
#include <backend/solving.hpp>
#include <copse/core/memory.hpp>
#include <sample/none.hpp>

#include <cstddef>
#include <string_view>

namespace copse::sample {

template <backend::arc_choice First, backend::arc_choice Then>
struct kout_of {
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> settle) {
    if constexpr (First == backend::arc_choice::nth && requires { requires Backend::fuses_passes; }) {
      if (with.fused && with.options.kout_rounds > 0) return sample_fused(with, graph, settle);
    }
    with.trees.plant(with.loops, own_root{});
    if constexpr (requires { with.loops.pairs_first_arcs(); }) {
      if (First == backend::arc_choice::nth && First == Then && with.options.kout_rounds == 2 && with.loops.pairs_first_arcs()) {
        settle(with, graph.chosen(backend::arc_choice::first_two));
        with.trees.flatten(with.loops);
        return;
      }
    }
    buffer<Id> heaviest;
    if (First == backend::arc_choice::given && with.options.kout_rounds > 0) {
      heaviest = backend::heaviest_neighbours(with.loops, graph.rows, with.trees.memory());
    }
    for (unsigned round = 0; round < with.options.kout_rounds; ++round) {
      settle(with, round == 0 && !heaviest.empty() ? graph.chosen_by(heaviest.data())
                                                   : graph.chosen(round == 0 ? First : Then, round, with.options.seed));
      flatten_after(with, round);
    }
  }

private:
  template <class Backend, class Id>
  static void flatten_after(backend::solving<Backend, Id>& with, unsigned round) {
    if (with.flattened_later && round + 1 == with.options.kout_rounds) return;
    with.trees.flatten(with.loops);
  }

  /// Of single vertices, the first round is a store for all whose first target is smaller. The others are listed in the same pass, which
  /// keeps second targets for the next round: they lie beside the first, and to come back for them would cost as much again.
  template <class Backend, class Id>
  static void sample_fused(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> settle) {
    const unsigned rounds = with.options.kout_rounds;
    const bool keeps_seconds = Then == backend::arc_choice::nth && rounds > 1;
    buffer<Id> seconds{keeps_seconds ? std::size_t{graph.vertices} : 0, with.trees.memory()};
    auto firsts = graph.chosen(backend::arc_choice::nth, 0);
    firsts.there = with.trees.hook(with.loops, graph.rows, false, keeps_seconds ? seconds.data() : nullptr, with.made);
    settle(with, firsts);
    flatten_after(with, 0);
    for (unsigned round = 1; round < rounds; ++round) {
      settle(with, round == 1 && keeps_seconds ? graph.chosen_by(seconds.data()) : graph.chosen(Then, round, with.options.seed));
      flatten_after(with, round);
    }
    with.joined_arcs = Then == backend::arc_choice::nth ? rounds : 1;
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
