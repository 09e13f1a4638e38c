// The parallel Rem that Cong and Muzio measure (Patwary, Refsnes, Manne 2012): sequential Rem's text with no swap and no lock, all at once,
// then rounds over the edges that wrote: flatten, and unite those whose ends differ, until none does. Parents are prefetched ahead.
// p[x] <= x: a store to p[x] is below a value that p[x] has held; so no cycle, whoever is late. But links get lost, with whole subtrees.
// Why none is missing in the end. Let W be the edges that ever wrote, and x ~ y say that W connects them, as edges of the graph. Always
// x ~ p[x]: an edge (u, v) stores p[x] = y only after it walked from u to x and from v to y over parents, so u ~ x and y ~ v then and, as
// W only grows, now; and by its store it is in W, so x ~ y. An edge that wrote nothing saw both walks meet: u ~ v. So W connects all that
// the edges do; and a round over all of W that stores nothing finds flat trees in which both ends of each edge have one root.
// Hence each round looks at all of W. To drop an edge once its ends agree is wrong: a later store may cut what it had joined, and nothing
// left would notice. So too the parents that a sampler left are edges of W from the start; and an arc that is passed over, as both its
// ends were seen below the giant, has u ~ giant ~ v.
// Not writing at all is no better test than agreeing: Rem splices as it climbs, round after round, where nothing is left to join.
// It ends: every store of a round to p[x] is below what p[x] was when the round began. Relaxed accesses suffice: the argument takes any
// value that a word has held, and rounds meet at barriers.
#pragma once
#include <backend/bag.hpp>
#include <copse/core/phases.hpp>
#include <copse/core/rule_traits.hpp>
#include <copse/rules/unite/rem.hpp>
#include <finish/rounds.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace copse::finish {

struct rem_verify {
  static constexpr std::string_view name = "rem_verify";
  static constexpr std::string_view summary = "Rem without synchronisation, then verify the edges that wrote (Patwary, Refsnes, Manne)";
  static constexpr rule_traits traits{.moves_subtrees = true, .aux = aux_array::edges};

  template <class Backend, class Id>
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& arcs) {
    const auto p = with.trees.plain();
    const Backend& loops = with.loops;
    backend::bag<edge<Id>> wrote{loops.threads(), 2 * std::size_t{arcs.vertices}, {0, 0}, with.trees.memory()};
    for_vertices(with, [&](Id v) {  // fewer than n: there is room
      if (const Id parent = p.load(v); parent != v && wrote.has_room(loops.thread())) wrote.add(loops.thread(), {v, parent});
    });
    changes no_room;
    for (;;) {
      backend::visit(
          loops, arcs, [p](Id v) { return p.load(v); },
          [&, p](Id u, Id target) {
            const unsigned thread = loops.thread();
            if (!wrote.has_room(thread)) {
              no_room.note();
            } else if (join(p, u, target)) {
              wrote.add(thread, {u, target});
            }
            return u;
          },
          [p](Id v) { p.prefetch(v); });
      if (!no_room.happened()) break;
      wrote.grow();
    }
    verify(with, wrote.items());
  }

private:
  /// Says when it is stored to.
  template <class P>
  class noting : public P {
  public:
    noting(P parents, bool& stored) noexcept : P{parents}, stored_{&stored} {}
    void store(typename P::id v, typename P::word w) const noexcept {
      *stored_ = true;
      P::store(v, w);
    }

  private:
    bool* stored_;
  };

  template <class P>
  static bool join(P p, typename P::id u, typename P::id v) {
    bool stored = false;
    unite::rem{}(noting{p, stored}, u, v);
    return stored;
  }

  template <class Backend, class Id>
  static void verify(backend::solving<Backend, Id>& with, std::span<const edge<Id>> wrote) {
    const phase_timer time{with.times, "verify"};
    const auto p = with.trees.plain();
    backend::arc_set<Id> arcs;
    arcs.edges = wrote;
    changes any;
    do {
      with.trees.flatten(with.loops);
      backend::visit(
          with.loops, arcs, [](Id v) { return v; },
          [p, &any](Id u, Id v) {
            if (p.load(u) == p.load(v)) return u;
            any.note();
            return unite::rem{}(p, u, v);
          },
          [p](Id v) { p.prefetch(v); });
    } while (any.happened());
  }
};

}  // namespace copse::finish
