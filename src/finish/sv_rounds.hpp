// The rounds of Shiloach and Vishkin (1982), over edges that keep their ends (sv) or move (sv_updt). In a round, every vertex jumps once;
// roots are grafted onto smaller parents that an edge shows them; a flat tree that took no part (stagnant: no jump, no graft, no tree
// grafted onto it) hooks onto any neighbouring tree; every vertex jumps once more. Done after a round that changed nothing. There are at
// most about log_1.5 n rounds, each with single jumps where cc flattens: the stagnant hooks make this possible.
//
// Why there is no cycle. (1) After the jumps a vertex that has children and is not a root is larger than its parent: p[x] < x. Grafts keep
// this, and put a root below a smaller vertex that has children or is a root, so no parent of such vertices ever becomes larger. (2) Two
// stagnant trees are never neighbours: in the pass before, the edge between them would have grafted the one with the larger root. So
// stagnant roots hook onto trees that do not hook. (3) A root that hooked to a larger vertex breaks p[x] < x, but its tree was flat, so the
// jump takes all its children from it.
//
// Words written in a pass belong to roots, and two writers of one root only lose a graft that its edge will offer again; in a round that
// changes nothing all trees are flat and the ends of all edges agree. Passes meet at barriers; within a pass, relaxed accesses suffice,
// because (1) to (3) hold for whatever parent a thread sees that is from the beginning of the pass or later. After hooks to larger
// vertices, roots are not minimal.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

/// Notes that the tree of a root took part in this round: a vertex of it jumped, or a tree was grafted onto it.
template <class P, class Noter>
struct note_busy {
  P busy;
  typename P::id round;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id root) const {
    busy.store(root, round);
    any.note();
  }
};
struct ask_nothing {
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id /*root*/) const noexcept {}
};

/// Grafts a root onto a smaller parent.
template <class P, class Noter>
struct graft_root {
  P p;
  note_busy<P, Noter> note;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    const auto high = a < b ? b : a, low = a < b ? a : b;
    if (p.load(high) != high) return;
    p.store(high, low);
    note(low);
  }
};
template <class P, class Noter>
graft_root(P, note_busy<P, Noter>) -> graft_root<P, Noter>;

/// Hooks a stagnant tree, which no jump and no graft has changed in this round, onto a neighbouring tree.
template <class P>
struct hook_stagnant {
  P p, busy;
  typename P::id round;
  COPSE_HOST_DEVICE bool stagnant(typename P::id root) const { return p.load(root) == root && busy.load(root) != round; }
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    if (stagnant(a)) {
      p.store(a, b);
    } else if (stagnant(b)) {
      p.store(b, a);
    }
  }
};

template <class P>
struct never_busy {
  P busy;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const { busy.store(v, 0); }
};

template <class Backend, class Id>
class sv_rounds {
public:
  explicit sv_rounds(backend::solve_context<Backend, Id>& context)
      : context_{context}, busy_words_(context.trees.vertices(), context.trees.memory()), any_{context} {
    for_vertices(context_, never_busy<words>{busy()});
  }

  /// Runs one round over the edges that `for_edges(f)` passes to f(u, v). Returns true if anything changed.
  template <class ForEdges>
  bool run(ForEdges for_edges) {
    ++round_;
    const words p = context_.trees.plain();
    const note_busy<words, typename change_flag<Backend, Id>::noter> note{busy(), round_, any_.notes()};
    jump(note);
    {
      const round_timer<Backend> time{context_, "graft"};
      for_edges(graft_root{p, note});
      for_edges(hook_stagnant<words>{p, busy(), round_});
    }
    jump(ask_nothing{});
    return any_.happened();
  }

private:
  using words = typename Backend::template parents<Id>;

  /// For each root, the last round in which its tree took part.
  [[nodiscard]] words busy() noexcept { return words{busy_words_.data()}; }

  template <class Jumped>
  void jump(Jumped jumped) {
    const round_timer<Backend> time{context_, "shortcut"};
    for_vertices(context_, jump_once{context_.trees.plain(), jumped});
  }

  backend::solve_context<Backend, Id>& context_;
  buffer<Id> busy_words_;
  change_flag<Backend, Id> any_;
  Id round_ = 0;
};

}  // namespace copse::finish
