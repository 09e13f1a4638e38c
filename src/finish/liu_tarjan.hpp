// Liu and Tarjan (2019): rounds of connect, update, shortcut and, for some, alter. A rule is four letters of the GConn paper:
//   connect  C: the smaller end is offered to the larger end · P: the smaller parent to the larger parent · E: the smaller parent to the
//            other end and to its parent
//   update   U: a vertex takes the smallest offer · R: only if it was a root when the round began
//   shortcut S: once · F: until the trees are flat
//   alter    A: every edge moves to the parents of its ends; loops are dropped
// Rounds read the labels that the round before left (a second array), so their number does not depend on the threads; offers meet in an
// atomic minimum. Labels only fall, and a round that changes neither labels nor edges is the last.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <finish/moving_edges.hpp>
#include <finish/rounds.hpp>

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse::finish {

enum class liu_tarjan_connect : char { ends = 'C', parents = 'P', extended = 'E' };
enum class liu_tarjan_update : char { every_vertex = 'U', roots = 'R' };
enum class liu_tarjan_shortcut : char { once = 'S', fully = 'F' };

/// Makes a vertex's grandparent its parent: the shortcut by a single step.
template <class P>
struct step_up {
  P p;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto parent = p.load(v), grandparent = p.load(parent);
    if (grandparent < parent) p.fetch_min(v, grandparent);
  }
};
template <class P>
step_up(P) -> step_up<P>;

template <liu_tarjan_connect Connect, liu_tarjan_update Update, liu_tarjan_shortcut Shortcut, bool Alter>
struct liu_tarjan {
  using connect = liu_tarjan_connect;
  using update = liu_tarjan_update;
  using shortcut = liu_tarjan_shortcut;

  static constexpr std::string_view name = "liu_tarjan";
  static constexpr std::array<char, 5> letters{static_cast<char>(Connect), static_cast<char>(Update), static_cast<char>(Shortcut), 'A', 0};
  static constexpr std::string_view rule{letters.data(), Alter ? 4 : 3};
  static constexpr std::string_view summary =
      Alter ? "rounds: connect, update, shortcut, alter (Liu-Tarjan)" : "rounds: connect, update, shortcut (Liu-Tarjan)";
  static constexpr rule_traits traits{
      .root_based = Update == update::roots,
      .synchronous = true,
      .needs_mutable_coo = Alter,
      .never = Connect == connect::ends && !Alter
                   ? "connect C without alter sees only the original ends, and stops at a forest of hooks to the smallest neighbour"
               : Connect == connect::extended && Update == update::roots
                   ? "connect E offers the other end a label that update R discards: it is connect P at a higher price"
                   : "",
      .aux = aux_array::labels};

  /// Lowers the labels of the vertices that one edge is to change in a round: of an end or of the label of an end, as Connect says, and
  /// only of vertices that were roots at the beginning of the round if Update is `roots`.
  template <class P>
  struct offers_of {
    using id = typename P::id;
    P before, p;

    COPSE_HOST_DEVICE void offer(id to, id label) const {
      if (Update == update::roots && before.load(to) != to) return;
      if (label < p.load(to)) p.fetch_min(to, label);
    }
    COPSE_HOST_DEVICE void operator()(id u, id v) const {
      if constexpr (Connect == connect::ends) {
        offer(u < v ? v : u, u < v ? u : v);
      } else {
        id a = before.load(u), b = before.load(v);
        if (a == b) return;
        if (a > b) {
          std::swap(a, b);
          std::swap(u, v);
        }
        offer(b, a);
        if constexpr (Connect == connect::extended) offer(v, a);
      }
    }
  };

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = context.trees.plain();
    labels_before<Backend, Id> rounds{context};
    const auto before = rounds.labels();
    const offers_of<std::remove_const_t<decltype(p)>> offers{before, p};
    if constexpr (Alter) {
      moving_edges<Backend, Id> edges{context, arcs};
      bool moved = true;
      for (bool relabelled = true; relabelled || moved; moved = edges.move()) {
        edges.for_each(offers);
        shorten(context);
        relabelled = rounds.take_over();
      }
    } else {
      do {
        for_arcs(context, arcs, offers);
        shorten(context);
      } while (rounds.take_over());
    }
  }

private:
  template <class Backend, class Id>
  static void shorten(backend::solve_context<Backend, Id>& context) {
    if constexpr (Shortcut == shortcut::fully) {
      context.trees.flatten(context.loops);
    } else {
      for_vertices(context, step_up{context.trees.plain()});
    }
  }
};

}  // namespace copse::finish
