// k-out sampling in Afforest's form (Sutton, Ben-Nun, Barak 2018; Holm et al. 2019 bound what is left): each round joins every vertex with
// one target of its row, by the row's own rule to its fixpoint, and flattens. Kinds differ in the arc they pick:
//   kout          the r-th of the row in round r; rows are sorted, so the first targets are small vertices that many share
//   kout_random   a random one
//   kout_mixed    the first, then random ones
//   kout_maxdeg   the one to the neighbour of highest degree (which reads the whole row), then random ones
#pragma once
#include <backend/solving.hpp>
#include <sample/none.hpp>

#include <string_view>

namespace copse::sample {

template <backend::arc_choice First, backend::arc_choice Then>
struct kout_of {
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> settle) {
    with.trees.plant(with.loops, own_root{});
    if constexpr (requires { with.loops.pairs_first_arcs(); }) {
      if (First == backend::arc_choice::nth && First == Then && with.options.kout_rounds == 2 && with.loops.pairs_first_arcs()) {
        settle(with, graph.chosen(backend::arc_choice::first_two));
        with.trees.flatten(with.loops);
        return;
      }
    }
    for (unsigned round = 0; round < with.options.kout_rounds; ++round) {
      settle(with, graph.chosen(round == 0 ? First : Then, round, with.options.seed));
      with.trees.flatten(with.loops);
    }
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
struct kout_maxdeg : kout_of<backend::arc_choice::heaviest, backend::arc_choice::random> {
  static constexpr std::string_view name = "kout_maxdeg";
};

}  // namespace copse::sample
