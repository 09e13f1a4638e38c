// moving_edges.hpp on a GPU: edges that move to the labels of their ends, in a copy, without loops.
#pragma once
#include <finish/moving_edges.hpp>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/visit.cuh>

#include <cstddef>

namespace copse::finish {

template <class Append>
struct keep_unless_loop {
  backend::edge_loads from;
  Append append;
  __device__ void operator()(std::size_t i) const {
    if (const auto e = from[i]; e.u != e.v) append(e);
  }
};
template <class P, class Noter, class Append>
struct keep_moved {
  backend::edge_loads from;
  P p;
  Noter any;
  Append append;
  __device__ void operator()(std::size_t i) const {
    const auto e = from[i];
    const edge<typename P::id> moved{p.load(e.u), p.load(e.v)};
    if (moved.u != e.u || moved.v != e.v) any.note();
    if (moved.u != moved.v) append(moved);
  }
};

template <class Id>
class moving_edges<backend::cuda, Id> {
public:
  moving_edges(backend::solve_context<backend::cuda, Id>& context, const backend::arc_set<Id>& arcs)
      : context_{context},
        now_{arcs.edges.size(), context.trees.memory()},
        next_{arcs.edges.size(), context.trees.memory()},
        any_{context} {
    context_.loops.for_each(arcs.edges.size(), keep_unless_loop<appender>{context_.loops.reads(arcs.edges), now_.begin(context_.loops)});
    now_.counted(context_.loops);
  }

  [[nodiscard]] std::size_t size() const noexcept { return now_.size(); }

  template <class F>
  void for_each(F f) const {
    context_.loops.for_each(now_.size(), backend::step_along_edge<F>{now(), f});
  }

  /// To the parents of their ends. Did any edge change?
  bool move() {
    using parents = backend::cuda::parents<Id>;
    context_.loops.for_each(now_.size(), keep_moved<parents, typename change_flag<backend::cuda, Id>::noter, appender>{
                                             now(), context_.trees.plain(), any_.notes(), next_.begin(context_.loops)});
    next_.counted(context_.loops);
    now_.swap(next_);
    return any_.happened();
  }

private:
  using appender = typename backend::gathered_on_gpu<edge<Id>>::appender;

  [[nodiscard]] backend::edge_loads now() const noexcept { return context_.loops.reads({now_.data(), now_.size()}); }

  backend::solve_context<backend::cuda, Id>& context_;
  backend::gathered_on_gpu<edge<Id>> now_, next_;
  change_flag<backend::cuda, Id> any_;
};

}  // namespace copse::finish
