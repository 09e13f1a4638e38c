// Edges that move to the labels of their ends from round to round, in a copy: the caller's are never written. Loops are dropped.
#pragma once
#include <finish/rounds.hpp>
#include <loops/counted.hpp>
#include <loops/gather.hpp>

#include <cstddef>
#include <span>

namespace copse::finish {

template <class Backend, class Id>
class moving_edges {
public:
  moving_edges(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs)
      : context_{context}, now_{arcs.edges.size(), context.trees.memory()}, next_{arcs.edges.size(), context.trees.memory()} {
    keep(arcs.edges, [](edge<Id> e) { return e; });
  }

  /// Edges that are no loops yet.
  [[nodiscard]] std::size_t size() const noexcept { return now_.size(); }

  /// f(u, v) for each.
  template <class F>
  void for_each(F f) const {
    context_.loops.for_blocks(now_.size(), [this, f](std::size_t begin, std::size_t end) {
      backend::inspected<Backend>(end - begin);
      for (std::size_t i = begin; i < end; ++i) f(now_[i].u, now_[i].v);
    });
  }

  /// To the parents of their ends. Did any edge change?
  bool move() {
    changes any;
    keep(std::span{now_.data(), now_.size()}, [p = context_.trees.plain(), &any](edge<Id> e) {
      const edge<Id> moved{p.load(e.u), p.load(e.v)};
      if (moved != e) any.note();
      return moved;
    });
    return any.happened();
  }

private:
  template <class F>
  void keep(std::span<const edge<Id>> from, F moved) {
    next_.clear();
    context_.loops.for_blocks(from.size(), [this, from, moved](std::size_t begin, std::size_t end) {
      typename backend::gathered<edge<Id>>::appender append{next_};
      for (std::size_t i = begin; i < end; ++i) {
        if (const edge<Id> e = moved(from[i]); e.u != e.v) append(e);
      }
    });
    now_.swap(next_);
  }

  backend::solve_context<Backend, Id>& context_;
  backend::gathered<edge<Id>> now_, next_;
};

}  // namespace copse::finish
