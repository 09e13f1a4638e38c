// Soman, Kishore and Narayanan's algorithm as the ECL-CC thesis prints it (Algorithms 3 to 5, with the jump inside the loop, as their text
// has it): hooks are stores without a look at the word, edges whose labels agree are marked and hidden from later rounds, and every vertex
// jumps, in lock step with the others, until its parent is a root. The library's `soman` (src/finish) swaps roots where edges are hidden,
// and jumps some steps a pass.
// Right, although a hook may be overwritten: in a round only labels of its beginning are stored, into words of such labels, and always a
// larger one (a smaller one), so that no cycle forms. An edge is hidden because its labels agree, which hooks of its round made so, if not
// the rounds before. Each of these came from an edge that hooked, and an edge that hooks in a round is not hidden in it: should the hook
// be overwritten, the trees are still joined by edges that come again. A round with a hook leaves fewer roots.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <finish/rounds.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace copse::lab {

/// Algorithm 4.
template <class Backend, class P, class Edges, class Noter>
struct store_hook {
  P p;
  Edges edges;
  std::uint8_t* marks;  ///< a byte per edge: in every pass one thread's
  bool upwards;
  Noter any;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    if (marks[i] != 0) return;
    backend::inspected<Backend>(1);
    const auto e = edges[i];
    const auto a = p.load(e.u), b = p.load(e.v);
    if (a == b) {
      marks[i] = 1;
      return;
    }
    const auto from = (a < b) == upwards ? a : b;
    p.store(from, from == a ? b : a);
    any.note();
  }
};

/// Algorithm 5: the vertex takes its grandparent for its parent, again and again.
template <class P, class Noter>
struct jump_until_root {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    for (auto parent = p.load(v);;) {
      const auto grandparent = p.load(parent);
      if (grandparent == parent) return;
      p.store(v, grandparent);
      any.note();
      parent = grandparent;
    }
  }
};

/// Algorithm 3.
struct soman_printed {
  static constexpr std::string_view name = "soman_printed";
  static constexpr std::string_view summary =
      "rounds: hook up and down in turns by stores, jump to the root, hide edges (Soman as printed)";
  static constexpr rule_traits traits{.minimal_roots = false, .synchronous = true, .needs_edge_list = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = context.trees.plain();
    using accessor = std::remove_const_t<decltype(p)>;
    const auto edges = context.loops.reads(arcs.edges);
    buffer<std::uint8_t> marks{arcs.edges.size(), context.trees.memory()};
    context.loops.clear(marks.data(), marks.size());
    finish::change_flag<Backend, Id> any{context};
    using noter = decltype(any.notes());
    for (bool upwards = true;; upwards = !upwards) {
      {
        const finish::round_timer<Backend> time{context, "graft"};
        using step = store_hook<Backend, accessor, std::remove_const_t<decltype(edges)>, noter>;
        context.loops.for_each(arcs.edges.size(), step{p, edges, marks.data(), upwards, any.notes()});
      }
      if (!any.happened()) return;
      const finish::round_timer<Backend> time{context, "shortcut"};
      do {
        finish::for_vertices(context, jump_until_root<accessor, noter>{p, any.notes()});
      } while (any.happened());
    }
  }
};

}  // namespace copse::lab
