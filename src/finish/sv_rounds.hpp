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
#include <copse/core/memory.hpp>
#include <copse/core/phases.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

template <class Backend, class Id>
class sv_rounds {
public:
  explicit sv_rounds(backend::solving<Backend, Id>& with) : with_{with}, busy_words_(with.trees.vertices(), with.trees.memory()) {
    for_vertices(with_, [busy = busy()](Id v) { busy.store(v, 0); });
  }

  /// One round over the edges that `for_edges(f)` passes to f(u, v). Did anything change?
  template <class ForEdges>
  bool run(ForEdges for_edges) {
    ++round_;
    changes any;
    jump([busy = busy(), round = round_, &any](Id parent) {
      busy.store(parent, round);
      any.note();
    });
    {
      const phase_timer time{with_.times, "graft"};
      for_edges([p = with_.trees.plain(), busy = busy(), round = round_, &any](Id u, Id v) {
        const Id a = p.load(u), b = p.load(v);
        if (a == b) return;
        const Id high = a < b ? b : a, low = a < b ? a : b;
        if (p.load(high) != high) return;
        p.store(high, low);
        busy.store(low, round);
        any.note();
      });
      for_edges([p = with_.trees.plain(), busy = busy(), round = round_](Id u, Id v) {
        const Id a = p.load(u), b = p.load(v);
        if (a == b) return;
        const auto stagnant = [=](Id root) { return p.load(root) == root && busy.load(root) != round; };
        if (stagnant(a)) {
          p.store(a, b);
        } else if (stagnant(b)) {
          p.store(b, a);
        }
      });
    }
    jump([](Id /*parent*/) {});
    return any.happened();
  }

private:
  using words = typename Backend::template parents<Id>;

  /// The last round in which something happened to the tree of a root.
  [[nodiscard]] words busy() noexcept { return words{busy_words_.data()}; }

  /// Every vertex takes its grandparent for its parent; `jumped(parent)` is told of each new one.
  template <class Jumped>
  void jump(Jumped jumped) {
    const phase_timer time{with_.times, "shortcut"};
    for_vertices(with_, [p = with_.trees.plain(), jumped](Id v) {
      const Id parent = p.load(v), grandparent = p.load(parent);
      if (grandparent == parent) return;
      p.store(v, grandparent);
      jumped(grandparent);
    });
  }

  backend::solving<Backend, Id>& with_;
  buffer<Id> busy_words_;
  Id round_ = 0;
};

}  // namespace copse::finish
