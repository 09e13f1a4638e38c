// The rounds of each rule that works in rounds, over the edges of a batch between roots. The code is the same on every backend;
// round_batch.hpp shows what `edges` and `trees` must offer.
#pragma once
#include <finish/liu_tarjan.hpp>
#include <finish/rounds.hpp>
#include <finish/shiloach_vishkin.hpp>
#include <loops/flatten.hpp>

#include <type_traits>

namespace copse::drivers {

/// Which edges of a batch its rounds visit.
enum class round_edges { between_roots, whole_batch };

/// run(edges, trees) joins trees along the edges of a batch by the rounds of `Rule`. `moving`: true if the ends of edges move to their
/// parents after each round, which takes a copy of the edges.
template <class Rule>
struct rounds_of;

template <>
struct rounds_of<finish::shiloach_vishkin> {
  static constexpr bool moving = false;

  template <class Edges, class Trees>
  static void run(Edges& edges, Trees& trees) {
    const auto p = trees.plain();
    using accessor = std::remove_const_t<decltype(p)>;
    auto any = edges.watch();
    const finish::hook_to_smallest hook{p, any.notes()};
    for (edges.for_each(hook); any.happened(); edges.for_each(hook)) edges.for_roots(backend::flatten_by_walk<accessor>{p});
  }
};

template <finish::liu_tarjan_connect Connect, finish::liu_tarjan_update Update, finish::liu_tarjan_shortcut Shortcut, bool Alter>
struct rounds_of<finish::liu_tarjan<Connect, Update, Shortcut, Alter>> {
  static constexpr bool moving = Alter;

  template <class Edges, class Trees>
  static void run(Edges& edges, Trees& trees) {
    const auto p = trees.plain(), before = trees.before();
    using accessor = std::remove_const_t<decltype(p)>;
    using rule = finish::liu_tarjan<Connect, Update, Shortcut, Alter>;
    const typename rule::template offers_of<accessor> offers{before, p};
    auto relabelled = edges.watch();
    const finish::take_over_label take_over{p, before, relabelled.notes()};
    edges.for_roots(finish::copy_label<accessor>{p, before});
    const auto shorten = [&] {
      if constexpr (Shortcut == finish::liu_tarjan_shortcut::fully) {
        edges.for_roots(backend::flatten_by_walk<accessor>{p});
      } else {
        edges.for_roots(finish::step_up{p});
      }
    };
    for (bool moved = Alter, again = true; again || moved; moved = Alter && edges.move_on()) {
      if constexpr (Alter) {
        edges.for_each_moving(offers);
      } else {
        edges.for_each(offers);
      }
      shorten();
      edges.for_roots(take_over);
      again = relabelled.happened();
    }
  }
};

}  // namespace copse::drivers
