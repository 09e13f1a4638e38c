// The edges that rules in rounds still visit. Gunrock's filter (Wang et al. 2016; ECL-CC thesis, section 3): once the hooks of a round are
// flattened, the edges of a list whose ends are in one tree are left out of later rounds. Only a backend that asks for it (cuda) filters;
// on all others, and for rows, every edge stays.
//
// This is right if vertices that are in one tree stay in one tree, as when only roots are hooked. O(edges left) per filter, in two lists in
// addition to the caller's, which is never written. Gunrock filters vertices too, between single jumps; here a shortcut goes all the way to
// the roots.
#pragma once
#include <copse/extend/host_device.hpp>
#include <finish/rounds.hpp>
#include <loops/edge_loads.hpp>
#include <loops/gather.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace copse::finish {

template <class P, class Edges>
struct keep_between_trees {
  P p;
  Edges edges;
  template <class Append>
  COPSE_HOST_DEVICE void operator()(std::size_t i, Append& append) const {
    if (const auto e = edges[i]; p.load(e.u) != p.load(e.v)) append(e);
  }
};
template <class P, class Edges>
keep_between_trees(P, Edges) -> keep_between_trees<P, Edges>;

template <class Backend, class Id>
class edge_frontier {
public:
  edge_frontier(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs)
      : edge_frontier{context, arcs, context.loops.filters_edges()} {}
  edge_frontier(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs, bool filters)
      : context_{context}, left_{arcs}, filters_{filters && !arcs.is_rows} {}

  [[nodiscard]] bool filters() const noexcept { return filters_; }
  /// The edges of the list that rounds still visit; empty if the graph is given as rows.
  [[nodiscard]] std::span<const edge<Id>> edges() const noexcept { return left_.edges; }

  /// Calls f(u, v) for each edge that filter() has not left out, or for each arc of rows.
  template <class F>
  void for_each(F f) {
    for_arcs(context_, left_, f);
  }

  /// Leaves out the edges whose ends are in one tree. Precondition: the trees are flat.
  void filter() {
    if (!filters_) return;
    const auto p = context_.trees.plain();
    list next{left_.edges.size(), context_.trees.memory()};
    gather(context_.loops, left_.edges.size(), next, keep_between_trees{p, context_.loops.reads(left_.edges)});
    kept_.swap(next);
    left_.edges = {kept_.data(), kept_.size()};
  }

private:
  using list = backend::gathered_of<Backend, edge<Id>>;

  backend::solve_context<Backend, Id>& context_;
  backend::arc_set<Id> left_;
  bool filters_;
  list kept_{0, context_.trees.memory()};
};

}  // namespace copse::finish
