// The parallel Rem that Cong and Muzio measure (Patwary, Refsnes, Manne 2012): the code of sequential Rem, run by all threads with no
// compare-and-swap and no lock, and then rounds over the edges that wrote: flatten, and unite the edges whose ends differ, until there are
// none. Parents may be prefetched.
//
// There is no cycle, in whatever order threads run, because p[x] <= x: a store to p[x] is below a value that p[x] has held. But links get
// lost, together with whole subtrees.
//
// Why none is missing in the end. Let W be the edges that ever wrote, and let x ~ y say that W connects x and y, as edges of the graph.
// Always x ~ p[x]: an edge (u, v) stores p[x] = y only after it walked from u to x and from v to y along parents, so u ~ x and y ~ v held
// then and, as W only grows, hold now; and because of its store it is in W, so x ~ y. An edge that wrote nothing saw both walks meet, so
// u ~ v. So W connects everything that the edges connect; and a round over all of W that stores nothing finds flat trees in which both
// ends of each edge have the same root.
//
// Hence each round looks at all of W. Dropping an edge once its ends agree would be wrong: a later store may cut what it had joined, and no
// other edge would notice. For the same reason the parents that a sampler left are edges of W from the start; and an arc that is skipped,
// because both its ends were seen below the giant, has u ~ giant ~ v. To drop an edge when it writes nothing is no better than when its
// ends agree: Rem splices as it climbs, round after round, even if nothing is left to join.
//
// It ends: every store of a round to p[x] is below what p[x] was when the round began. Relaxed accesses suffice: the argument allows any
// value that a word has held, and rounds meet at barriers.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <finish/rounds.hpp>
#include <finish/united.hpp>
#include <finish/written_edges.hpp>

#include <span>
#include <string_view>
#include <type_traits>

namespace copse::finish {

/// An accessor that notes whether it has stored anything.
template <class P>
class noting_stores : public P {
public:
  COPSE_HOST_DEVICE noting_stores(P parents, bool& stored) noexcept : P{parents}, stored_{&stored} {}
  COPSE_HOST_DEVICE void store(typename P::id v, typename P::word w) const noexcept {
    *stored_ = true;
    P::store(v, w);
  }

private:
  bool* stored_;
};

template <class P, class Add>
struct join_and_list {
  using id = typename P::id;
  P p;
  Add add;
  COPSE_HOST_DEVICE id operator()(id u, id target) const {
    if (!add.has_room()) return u;
    bool stored = false;
    unite::rem{}(noting_stores<P>{p, stored}, u, target);
    if (stored) add(edge<id>{u, target});
    return u;
  }
};
template <class P, class Add>
struct list_parent {
  P p;
  Add add;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    if (const auto parent = p.load(v); parent != v && add.has_room()) add(edge<typename P::id>{v, parent});
  }
};
template <class P, class Noter>
struct join_if_apart {
  using id = typename P::id;
  P p;
  Noter any;
  COPSE_HOST_DEVICE id operator()(id u, id v) const {
    if (p.load(u) == p.load(v)) return u;
    any.note();
    return unite::rem{}(p, u, v);
  }
};
template <class P>
struct prefetch_parent {
  P p;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const noexcept { p.prefetch(v); }
};

/// Rem's algorithm by all threads without synchronisation; then the edges that wrote to parents are verified, and united again if their
/// ends are in two trees. Prefetches parents on a CPU, but not on a GPU, where other threads run while one waits; if `Switched`, on a GPU
/// but not on a CPU.
template <bool Switched>
struct rem_verify {
  static constexpr std::string_view name = "rem_verify", rule = Switched ? "prefetch_switched" : "";
  static constexpr std::string_view summary =
      Switched ? "the same without prefetches of parents on a CPU, and with them on a GPU"
               : "Rem without synchronisation, then verify the edges that wrote (Patwary, Refsnes, Manne)";
  static constexpr rule_traits traits{.moves_subtrees = true, .aux = aux_array::edges};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    using parents = typename Backend::template parents<Id>;
    const parents p = context.trees.plain();
    written_edges<Backend, Id> wrote{context};
    do {
      const auto add = wrote.begin();
      for_vertices(context, list_parent<parents, std::remove_const_t<decltype(add)>>{p, add});
      visit(context.loops, arcs, parent_of<parents>{p}, join_and_list<parents, std::remove_const_t<decltype(add)>>{p, add},
            ahead<Backend>(p));
    } while (!wrote.held_all());
    verify(context, wrote.edges());
  }

private:
  template <class Backend, class P>
  static auto ahead(P p) {
    if constexpr (Backend::on_device == Switched) {
      return prefetch_parent<P>{p};
    } else {
      return backend::never_ahead{};
    }
  }

  template <class Backend, class Id>
  static void verify(backend::solve_context<Backend, Id>& context, std::span<const edge<Id>> wrote) {
    using parents = typename Backend::template parents<Id>;
    const round_timer<Backend> time{context, "verify"};
    const parents p = context.trees.plain();
    backend::arc_set<Id> arcs;
    arcs.edges = wrote;
    change_flag<Backend, Id> any{context};
    do {
      context.trees.flatten(context.loops);
      visit(context.loops, arcs, backend::itself{}, join_if_apart<parents, typename change_flag<Backend, Id>::noter>{p, any.notes()},
            ahead<Backend>(p));
    } while (any.happened());
  }
};

}  // namespace copse::finish
