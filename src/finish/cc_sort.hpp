// cc with sort-based coalescing (Cong and Muzio 2014, section 3). Before labels are looked up, the edges are sorted by blocks of w
// vertices: once by each end, and once more by the larger label for the grafts, so that every access to the parents stays within a
// block that fits a cache. The authors show (Theorem 1) that it cannot pay: moving the edges costs more than the misses it saves. This
// finish exists to be measured. On the host it partitions edges into n/w blocks at once, where the authors' radix sort takes several
// passes of few bits; on a GPU it uses such a sort, and w is the number of words that one access of a warp covers.
//
// Correct for the same reason as cc; in addition, all labels of a pass are those of its beginning.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <finish/rounds.hpp>
#include <loops/arcs.hpp>
#include <loops/edge_loads.hpp>
#include <loops/partition.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace copse::finish {

/// An edge, and the labels of its ends once they are looked up.
template <class Id>
struct labelled_edge {
  Id u, v, label_u, label_v;
};
template <class Edges, class Id>
struct unlabelled {
  Edges from;
  labelled_edge<Id>* to;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    const auto e = from[i];
    to[i] = {e.u, e.v, 0, 0};
  }
};
template <class Edges, class Id>
unlabelled(Edges, labelled_edge<Id>*) -> unlabelled<Edges, Id>;

/// Applies a step to every edge of an array.
template <class Id, class F>
struct step_of_edge {
  labelled_edge<Id>* edges;
  F f;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const { f(edges[i]); }
};
template <class P>
struct look_up_first {
  P p;
  COPSE_HOST_DEVICE void operator()(labelled_edge<typename P::id>& e) const { e.label_u = p.load(e.u); }
};
template <class P>
struct look_up_second {
  P p;
  COPSE_HOST_DEVICE void operator()(labelled_edge<typename P::id>& e) const { e.label_v = p.load(e.v); }
};
template <class P, class Noter>
struct graft_looked_up {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(labelled_edge<typename P::id>& e) const {
    if (e.label_u == e.label_v) return;
    graft(p, e.label_u, e.label_v);
    any.note();
  }
};

/// Returns the index of the block of 2^shift consecutive vertices that the first end of an edge is in.
struct block_of_first {
  int shift;
  template <class Id>
  COPSE_HOST_DEVICE std::size_t operator()(const labelled_edge<Id>& e) const {
    return static_cast<std::size_t>(e.u >> shift);
  }
};
struct block_of_second {
  int shift;
  template <class Id>
  COPSE_HOST_DEVICE std::size_t operator()(const labelled_edge<Id>& e) const {
    return static_cast<std::size_t>(e.v >> shift);
  }
};
struct block_of_graft {
  int shift;
  template <class Id>
  COPSE_HOST_DEVICE std::size_t operator()(const labelled_edge<Id>& e) const {
    return static_cast<std::size_t>((e.label_u < e.label_v ? e.label_v : e.label_u) >> shift);
  }
};

struct cc_sort {
  static constexpr std::string_view name = "cc_sort";
  static constexpr std::string_view summary = "cc with the edges sorted by blocks of vertices before every access (Cong and Muzio)";
  static constexpr rule_traits traits{.synchronous = true, .needs_edge_list = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    using parents = typename Backend::template parents<Id>;
    const parents p = context.trees.plain();
    const std::size_t m = arcs.edges.size();
    buffer<labelled_edge<Id>> now{m, context.trees.memory()}, next{m, context.trees.memory()};
    const auto [shift, bits] = blocks_of(context.loops, arcs.vertices);
    const auto sort_by = [&, key_bits = bits](auto block_of) {
      const round_timer<Backend> time{context, "sort"};
      partition(context.loops, std::as_const(now).span(), next.data(), block_of, key_bits);
      std::swap(now, next);
    };
    const auto for_edges = [&]<class F>(F f) {
      const round_timer<Backend> time{context, "graft"};
      context.loops.for_each(m, step_of_edge<Id, F>{now.data(), f});
    };
    context.loops.for_each(m, unlabelled{context.loops.reads(arcs.edges), now.data()});
    change_flag<Backend, Id> any{context};
    for (;;) {
      backend::inspected<Backend>(m);
      sort_by(block_of_first{shift});
      for_edges(look_up_first<parents>{p});
      sort_by(block_of_second{shift});
      for_edges(look_up_second<parents>{p});
      sort_by(block_of_graft{shift});
      for_edges(graft_looked_up<parents, typename change_flag<Backend, Id>::noter>{p, any.notes()});
      if (!any.happened()) return;
      shortcut(context);
    }
  }
};

}  // namespace copse::finish
