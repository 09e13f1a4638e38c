// Inserts of a batch by a rule that works in rounds. The edges are first moved to the roots of their ends, and those that have become
// loops are dropped; the roots that are left are a graph of their own, closed under everything that a root-based rule does to it, so
// rounds visit nothing else: the cost of a batch depends on what it touches, not on the size of the graph. (GConn inspects the whole batch
// in every round.) The trees below the roots stay as they are and are found through them.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/live_forest.hpp>
#include <finish/label_rounds.hpp>
#include <finish/liu_tarjan.hpp>
#include <finish/rounds.hpp>
#include <finish/shiloach_vishkin.hpp>
#include <loops/gather.hpp>

#include <cstddef>
#include <type_traits>

namespace copse::drivers {

/// The edges of a batch between different roots, and, where `moving`, a copy of them that follows the parents of its ends.
template <class Backend, class Id>
class root_edges {
public:
  using parents = typename Backend::template parents<Id>;

  root_edges(const Backend& loops, live_forest<Backend, Id>& trees, batch_part<Id> batch, bool moving)
      : loops_{loops},
        p_{trees.plain()},
        ends_{batch.pairs.size(), trees.memory()},
        now_{moving ? batch.pairs.size() : 0, trees.memory()},
        next_{moving ? batch.pairs.size() : 0, trees.memory()} {
    loops.for_blocks(batch.pairs.size(), [this, &trees, batch, exists = trees.exists()](std::size_t begin, std::size_t end) {
      link_tally tally;
      appender append{ends_};
      for (std::size_t i = begin; i < end; ++i) {
        if (!batch.is(operation::insert, i)) continue;
        const auto [u, v] = batch.pairs[i];
        tally.vertices += static_cast<std::uint64_t>(exists.raise(u)) + static_cast<std::uint64_t>(exists.raise(v));
        const edge<Id> roots{find::halve{}(p_, u), find::halve{}(p_, v)};
        if (roots.u != roots.v) append(roots);
      }
      trees.add(tally);
    });
    if (moving) follow(ends_, [](edge<Id> e) { return e; });
  }

  /// f(u, v) for each edge, between the roots of the beginning.
  template <class F>
  void for_each(F f) const {
    each_of(ends_, f);
  }
  /// f(r) for each of these roots, as often as edges end there.
  template <class F>
  void for_roots(F f) const {
    each_of(ends_, [f](Id u, Id v) {
      f(u);
      f(v);
    });
  }
  /// f(u, v) for each moving edge.
  template <class F>
  void for_each_moving(F f) const {
    each_of(now_, f);
  }
  /// Moving edges go to the parents of their ends; loops are dropped. Did any edge change?
  bool move_on() {
    finish::changes any;
    follow(now_, [p = p_, &any](edge<Id> e) {
      const edge<Id> moved{p.load(e.u), p.load(e.v)};
      if (moved != e) any.note();
      return moved;
    });
    return any.happened();
  }
  /// Counts as links the roots that are no longer roots.
  void count_links(live_forest<Backend, Id>& trees) const {
    loops_.for_blocks(ends_.size(), [this, &trees, died = trees.died()](std::size_t begin, std::size_t end) {
      link_tally tally;
      for (std::size_t i = begin; i < end; ++i) {
        for (const Id r : {ends_[i].u, ends_[i].v}) tally.links += p_.load(r) != r && died.raise(r);
      }
      trees.add(tally);
    });
  }

private:
  using appender = typename backend::gathered<edge<Id>>::appender;

  template <class F>
  void each_of(const backend::gathered<edge<Id>>& edges, F f) const {
    loops_.for_blocks(edges.size(), [&edges, f](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(edges[i].u, edges[i].v);
    });
  }
  template <class F>
  void follow(const backend::gathered<edge<Id>>& from, F moved) {
    next_.clear();
    loops_.for_blocks(from.size(), [this, &from, moved](std::size_t begin, std::size_t end) {
      appender append{next_};
      for (std::size_t i = begin; i < end; ++i) {
        if (const edge<Id> e = moved(from[i]); e.u != e.v) append(e);
      }
    });
    now_.swap(next_);
  }

  const Backend& loops_;
  parents p_;
  backend::gathered<edge<Id>> ends_, now_, next_;
};

/// Runs the rounds of one rule.
template <class Rule>
struct rounds_of;

template <>
struct rounds_of<finish::shiloach_vishkin> {
  static constexpr bool moving = false;

  template <class Backend, class Id>
  static void run(root_edges<Backend, Id>& edges, live_forest<Backend, Id>& trees) {
    const auto p = trees.plain();
    using accessor = std::remove_const_t<decltype(p)>;
    finish::changes any;
    const finish::hook_to_smallest hook{p, typename finish::change_flag<Backend, Id>::noter{any}};
    for (edges.for_each(hook); any.happened(); edges.for_each(hook)) edges.for_roots(backend::flatten_by_walk<accessor>{p});
  }
};

template <finish::liu_tarjan_connect Connect, finish::liu_tarjan_update Update, finish::liu_tarjan_shortcut Shortcut, bool Alter>
struct rounds_of<finish::liu_tarjan<Connect, Update, Shortcut, Alter>> {
  static constexpr bool moving = Alter;

  template <class Backend, class Id>
  static void run(root_edges<Backend, Id>& edges, live_forest<Backend, Id>& trees) {
    const auto p = trees.plain(), before = trees.before();
    using accessor = std::remove_const_t<decltype(p)>;
    using rule = finish::liu_tarjan<Connect, Update, Shortcut, Alter>;
    const typename rule::template offers_of<accessor> offers{before, p};
    finish::changes relabelled;
    const finish::take_over_label take_over{p, before, typename finish::change_flag<Backend, Id>::noter{relabelled}};
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

/// Precondition: all ids have words.
template <class Rule, class Backend, class Id>
void round_batch(const Backend& loops, live_forest<Backend, Id>& trees, batch_part<Id> batch) {
  root_edges<Backend, Id> edges{loops, trees, batch, rounds_of<Rule>::moving};
  rounds_of<Rule>::run(edges, trees);
  edges.count_links(trees);
}

}  // namespace copse::drivers
