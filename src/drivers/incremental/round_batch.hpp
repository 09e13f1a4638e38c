// Inserts of a batch by a rule that works in rounds. The edges are first moved to the roots of their ends, and those that have become loops
// are dropped. The remaining edges and roots are a graph of their own, and a root-based rule changes nothing outside it. So rounds visit
// nothing else, and the cost of a batch depends on what it touches, not on the size of the graph. (GConn inspects the whole batch in every
// round; this code can do so, too, when work is counted.) The trees below the roots stay as they are, and their vertices find the new roots
// through them.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/growing_forest.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/rounds_of.hpp>
#include <finish/rounds.hpp>
#include <loops/arcs.hpp>
#include <loops/gather.hpp>

#include <cstddef>
#include <type_traits>

namespace copse::drivers {

/// The inserts of a batch as edges between the roots of their ends. Edges whose ends have the same root are left out, unless `visited` is
/// whole_batch. If `moving`, there is also a copy of these edges, whose ends move_on() replaces by their parents.
template <class Backend, class Id>
class root_edges {
public:
  using parents = typename Backend::template parents<Id>;

  root_edges(const Backend& loops, growing_forest<Backend, Id>& trees, batch_part<Id> batch, bool moving,
             round_edges visited = round_edges::between_roots)
      : loops_{loops},
        p_{trees.plain()},
        ends_{batch.pairs.size(), trees.memory()},
        now_{moving ? batch.pairs.size() : 0, trees.memory()},
        next_{moving ? batch.pairs.size() : 0, trees.memory()} {
    const bool whole = visited == round_edges::whole_batch;
    loops.for_blocks(batch.pairs.size(), [this, &trees, batch, whole, exists = trees.exists()](std::size_t begin, std::size_t end) {
      // If the rounds visit the whole batch, the edges that this pass reads are not counted as work, because the rounds count all of them.
      if (!whole) backend::inspected<Backend>(end - begin);
      link_tally tally;
      appender append{ends_};
      for (std::size_t i = begin; i < end; ++i) {
        if (!batch.is(operation::insert, i)) continue;
        const auto [u, v] = batch.pairs[i];
        tally.vertices += static_cast<std::uint64_t>(exists.raise(u)) + static_cast<std::uint64_t>(exists.raise(v));
        const edge<Id> roots{find::halve{}(p_, u), find::halve{}(p_, v)};
        if (whole || roots.u != roots.v) append(roots);
      }
      trees.add(tally);
    });
    const auto unmoved = [](edge<Id> e) { return e; };
    if (moving) follow(ends_, unmoved, whole);
  }

  /// A flag that the steps of a round raise, through copies of the object that notes() returns. happened() returns true if it was raised
  /// since the previous call.
  class change_flag {
  public:
    [[nodiscard]] auto notes() noexcept { return typename finish::change_flag<Backend, Id>::noter{any_}; }
    [[nodiscard]] bool happened() noexcept { return any_.happened(); }

  private:
    finish::changes any_;
  };
  [[nodiscard]] change_flag watch() const noexcept { return {}; }

  /// Calls f(u, v) for each edge that the rounds visit. u and v are the roots, before the first round, of the ends of an inserted edge.
  template <class F>
  void for_each(F f) const {
    backend::inspected<Backend>(ends_.size());
    each_of(ends_, f);
  }
  /// Calls f(r) for each root at which edges of the batch end, once per end.
  template <class F>
  void for_roots(F f) const {
    each_of(ends_, [f](Id u, Id v) {
      f(u);
      f(v);
    });
  }
  /// Calls f(u, v) for each edge of the copy whose ends move_on() replaces by their parents.
  template <class F>
  void for_each_moving(F f) const {
    backend::inspected<Backend>(now_.size());
    each_of(now_, f);
  }
  /// Moves the ends of edges to their parents and drops loops. True if any edge changed.
  bool move_on() {
    finish::changes any;
    follow(now_, [p = p_, &any](edge<Id> e) {
      const edge<Id> moved{p.load(e.u), p.load(e.v)};
      if (moved != e) any.note();
      return moved;
    });
    return any.happened();
  }
  /// Counts, as links, the ends of edges that were roots and are no longer.
  void count_links(growing_forest<Backend, Id>& trees) const {
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
  void follow(const backend::gathered<edge<Id>>& from, F moved, bool loops_too = false) {
    next_.clear();
    loops_.for_blocks(from.size(), [this, &from, moved, loops_too](std::size_t begin, std::size_t end) {
      appender append{next_};
      for (std::size_t i = begin; i < end; ++i) {
        if (const edge<Id> e = moved(from[i]); loops_too || e.u != e.v) append(e);
      }
    });
    now_.swap(next_);
  }

  const Backend& loops_;
  parents p_;
  backend::gathered<edge<Id>> ends_, now_, next_;
};

/// Inserts a batch by a rule that works in rounds. Precondition: all ids of inserts are below trees.slots().
template <class Rule, class Backend, class Id>
void round_batch(const Backend& loops, growing_forest<Backend, Id>& trees, batch_part<Id> batch) {
  root_edges<Backend, Id> edges{loops, trees, batch, rounds_of<Rule>::moving};
  rounds_of<Rule>::run(edges, trees);
  edges.count_links(trees);
}

}  // namespace copse::drivers
