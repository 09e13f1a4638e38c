// Edges that move to the labels of their ends from round to round. They are a copy, from which edges that have become loops are dropped;
// or, if the list may be overwritten (arc_set::writable), the list itself, in which all edges stay, as in the paper of Cong and Muzio.
#pragma once
#include <finish/rounds.hpp>
#include <loops/arcs.hpp>
#include <loops/gather.hpp>

#include <cstddef>
#include <span>

namespace copse::finish {

template <class Backend, class Id>
class moving_edges {
public:
  moving_edges(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs)
      : context_{context},
        in_place_{arcs.writable, arcs.writable == nullptr ? 0 : arcs.edges.size()},
        any_left_{!in_place_.empty()},
        now_{arcs.edges.size() - in_place_.size(), context.trees.memory()},
        next_{arcs.edges.size() - in_place_.size(), context.trees.memory()} {
    if (arcs.writable == nullptr) keep(arcs.edges, [](edge<Id> e) { return e; });
  }

  /// False if all edges are loops.
  [[nodiscard]] bool any_left() const noexcept { return any_left_; }

  /// Calls f(u, v) for each edge.
  template <class F>
  void for_each(F f) const {
    context_.loops.for_blocks(edges().size(), [f, edges = edges()](std::size_t begin, std::size_t end) {
      backend::inspected<Backend>(end - begin);
      for (std::size_t i = begin; i < end; ++i) f(edges[i].u, edges[i].v);
    });
  }

  /// Moves each edge to the parents of its ends. Returns true if any edge has changed.
  bool move() {
    changes any;
    const auto moved = [p = context_.trees.plain(), &any](edge<Id> e) {
      const edge<Id> to{p.load(e.u), p.load(e.v)};
      if (to != e) any.note();
      return to;
    };
    in_place_.empty() ? keep(edges(), moved) : rewrite(moved);
    return any.happened();
  }

private:
  [[nodiscard]] std::span<const edge<Id>> edges() const noexcept {
    return in_place_.empty() ? std::span<const edge<Id>>{now_.data(), now_.size()} : in_place_;
  }

  template <class F>
  void rewrite(F moved) {
    changes apart;
    context_.loops.for_blocks(in_place_.size(), [edges = in_place_, moved, &apart](std::size_t begin, std::size_t end) {
      bool any = false;
      for (std::size_t i = begin; i < end; ++i) {
        edges[i] = moved(edges[i]);
        any |= edges[i].u != edges[i].v;
      }
      if (any) apart.note();
    });
    any_left_ = apart.happened();
  }

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
    any_left_ = now_.size() > 0;
  }

  backend::solve_context<Backend, Id>& context_;
  std::span<edge<Id>> in_place_;
  bool any_left_;
  backend::gathered<edge<Id>> now_, next_;
};

}  // namespace copse::finish
