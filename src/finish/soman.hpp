// Soman, Kishore, Narayanan (2010), in the form of the ECL-CC thesis (Algorithms 3 to 5, the jump moved inside the loop): every edge hooks
// one of its ends' labels onto the other, the smaller onto the larger in even rounds, the larger onto the smaller in odd ones; then all
// vertices jump, in lockstep (rounds.hpp), until they point at roots. An edge whose ends agree is hidden from later rounds, or filtered out
// (edge_frontier.hpp).
//
// Invariant: in a round every word holds a label from the beginning of the round, only words of labels are written, and all hooks point in
// the same direction: there is no cycle. Roots are not minimal. Every round hooks all labels except local maxima (minima in odd rounds), so
// there are at most log2 n rounds.
//
// The authors hook by a store, which may overwrite another edge's hook. If edges are filtered, nothing is lost: the edge of the overwritten
// hook is still between two flat trees, and is visited again. But if a third edge was hidden because it saw the hook that was then
// overwritten, it would be hidden wrongly for ever. So if edges are hidden, a hook is a compare-and-swap of a root: the root's word is
// fixed until the round ends, and labels that agree once stay together. A stale label is the root itself or a label that a hook put there:
// both were in the tree. A thread that saw two labels hooked a root, or found it hooked, so a round that is not the last leaves fewer
// roots.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <finish/edge_frontier.hpp>
#include <finish/rounds.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace copse::finish {

template <class Backend, class P, class Edges, class Noter>
struct hook_or_hide {
  P p;
  Edges edges;
  /// One byte per edge: 1 if its ends were found in one tree, so that later rounds skip it. In a pass, a byte is written by one thread
  /// only. Null if edges are filtered out instead.
  std::uint8_t* hidden;
  bool upwards;
  Noter any;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    if (hidden != nullptr && hidden[i] != 0) return;
    backend::inspected<Backend>(1);
    const auto e = edges[i];
    const auto a = p.load(e.u), b = p.load(e.v);
    if (a == b) {
      if (hidden != nullptr) hidden[i] = 1;
      return;
    }
    const auto from = (a < b) == upwards ? a : b, to = from == a ? b : a;
    if (p.load(from) == from) {
      if (hidden != nullptr) {
        p.cas(from, from, to);
      } else {
        p.store(from, to);
      }
    }
    any.note();
  }
};

struct soman {
  static constexpr std::string_view name = "soman";
  static constexpr std::string_view summary = "rounds: hook up and down in turns, jump, hide edges (Soman et al.)";
  static constexpr rule_traits traits{.minimal_roots = false, .synchronous = true, .needs_edge_list = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = context.trees.plain();
    edge_frontier<Backend, Id> left{context, arcs};
    buffer<std::uint8_t> marks{left.filters() ? 0 : arcs.edges.size(), context.trees.memory()};
    context.loops.clear(marks.data(), marks.size());
    change_flag<Backend, Id> any{context};
    for (bool upwards = true;; upwards = !upwards) {
      {
        const round_timer<Backend> time{context, "graft"};
        const auto edges = context.loops.reads(left.edges());
        using step = hook_or_hide<Backend, std::remove_const_t<decltype(p)>, std::remove_const_t<decltype(edges)>,
                                  typename change_flag<Backend, Id>::noter>;
        context.loops.for_each(left.edges().size(), step{p, edges, left.filters() ? nullptr : marks.data(), upwards, any.notes()});
      }
      if (!any.happened()) return;
      {
        const round_timer<Backend> time{context, "shortcut"};
        jump_to_roots(context, any);
      }
      left.filter();
    }
  }
};

}  // namespace copse::finish
