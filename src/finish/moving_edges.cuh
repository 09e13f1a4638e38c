// Edges that move to the labels of their ends from round to round (moving_edges.hpp), on a GPU.
#pragma once
#include <finish/moving_edges.hpp>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/visit.cuh>

#include <cstddef>
#include <span>

namespace copse::finish {

struct keep_unless_loop {
  backend::edge_loads from;
  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    if (const auto e = from[i]; e.u != e.v) append(e);
  }
};
/// Returns an edge after it has moved to the parents of its ends.
template <class P, class Noter>
struct moved_edge {
  P p;
  Noter any;
  __device__ edge<typename P::id> operator()(edge<typename P::id> e) const {
    const edge<typename P::id> moved{p.load(e.u), p.load(e.v)};
    if (moved.u != e.u || moved.v != e.v) any.note();
    return moved;
  }
};
template <class Moved>
struct keep_moved {
  backend::edge_loads from;
  Moved moved;
  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    if (const auto e = moved(from[i]); e.u != e.v) append(e);
  }
};
template <class Moved, class Noter>
struct rewrite_edge {
  backend::edge_loads from;
  edge<std::uint32_t>* to;  ///< where the moved edges are written: the memory of `from`
  Moved moved;
  Noter apart;
  __device__ void operator()(std::size_t i) const {
    const auto e = moved(from[i]);
    to[i] = e;
    if (e.u != e.v) apart.note();
  }
};

template <class Id>
class moving_edges<backend::cuda, Id> {
public:
  moving_edges(backend::solve_context<backend::cuda, Id>& context, const backend::arc_set<Id>& arcs)
      : context_{context},
        in_place_{arcs.writable, arcs.writable == nullptr ? 0 : arcs.edges.size()},
        any_left_{!in_place_.empty()},
        now_{arcs.edges.size() - in_place_.size(), context.trees.memory()},
        next_{arcs.edges.size() - in_place_.size(), context.trees.memory()},
        any_{context},
        apart_{context} {
    if (arcs.writable == nullptr) keep(arcs.edges.size(), keep_unless_loop{context_.loops.reads(arcs.edges)});
  }

  [[nodiscard]] bool any_left() const noexcept { return any_left_; }

  template <class F>
  void for_each(F f) const {
    context_.loops.for_each(edges().size(), backend::step_along_edge<F>{context_.loops.reads(edges()), f});
  }

  /// Moves each edge to the parents of its ends. Returns whether any edge has changed.
  bool move() {
    using noter = typename change_flag<backend::cuda, Id>::noter;
    using moved = moved_edge<backend::cuda::parents<Id>, noter>;
    const auto from = context_.loops.reads(edges());
    const moved where{context_.trees.plain(), any_.notes()};
    if (in_place_.empty()) {
      keep(now_.size(), keep_moved<moved>{from, where});
    } else {
      context_.loops.for_each(in_place_.size(), rewrite_edge<moved, noter>{from, in_place_.data(), where, apart_.notes()});
      any_left_ = apart_.happened();
    }
    return any_.happened();
  }

private:
  [[nodiscard]] std::span<const edge<Id>> edges() const noexcept {
    return in_place_.empty() ? std::span<const edge<Id>>{now_.data(), now_.size()} : in_place_;
  }

  template <class F>
  void keep(std::size_t count, F wanted) {
    gather(context_.loops, count, next_, wanted);
    now_.swap(next_);
    any_left_ = now_.size() > 0;
  }

  backend::solve_context<backend::cuda, Id>& context_;
  std::span<edge<Id>> in_place_;
  bool any_left_;
  backend::gathered_on_gpu<edge<Id>> now_, next_;
  change_flag<backend::cuda, Id> any_, apart_;
};

}  // namespace copse::finish
