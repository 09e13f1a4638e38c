// The rounds of Shiloach and Vishkin (1982), over edges that stand still (sv) or move (sv_updt). A round: every vertex jumps once; roots
// are grafted onto smaller parents that an edge shows them; a flat tree that took no part (stagnant: no jump, no graft, none grafted onto
// it) hooks onto any neighbouring tree; every vertex jumps once more. Done after a round that changed nothing. At most about
// log_1.5 n rounds, each one pass of single jumps where cc flattens: that is what the stagnant hooks buy.
// No cycle. (1) After the jumps a vertex that has children and is no root lies above its parent: p[x] < x. Grafts keep that, and hang a
// root below a smaller vertex that has children or is a root, so no pointer of such vertices ever rises. (2) Two stagnant trees are never
// neighbours: in the pass before, the edge between them would have grafted the one with the larger root. So stagnant roots hook onto trees
// that do not hook. (3) A root that hooked upwards breaks p[x] < x, but had a flat tree, so the jump takes all its children from it.
// Words written in a pass belong to roots, and two writers of one root only lose a graft that its edge will offer again; in a round that
// changes nothing all trees are flat and all edges agree. Passes meet at barriers; within one, relaxed accesses suffice, because (1) to (3)
// hold for whatever parent of its beginning or later a thread sees. Roots are not minimal, after hooks upwards.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

/// The vertices that became busy in this round.
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

/// A root onto a smaller parent.
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

/// A stagnant tree onto any other.
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

  /// One round over the edges that `for_edges(f)` passes to f(u, v). Did anything change?
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

  /// The last round in which something happened to the tree of a root.
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
