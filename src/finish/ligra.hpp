// Ligra's components (Shun and Blelloch 2013; ECL-CC thesis, Algorithm 7). The frontier is the set of vertices whose label has changed, at
// first all vertices. Their labels are offered to all neighbours, and each vertex that gets a smaller one is in the next frontier, once.
// Done when a frontier is empty. As in Ligra, a frontier with more than 1/20 of the arcs is not pushed: every vertex takes the smallest
// label of its neighbours instead, in order.
//
// Why a vertex is appended only once: of the threads that lower a label in a round, exactly one replaces the label that the round began
// with (an atomic minimum returns what it replaced). Why the result is right: a vertex that does not change in a round has given its
// label to all neighbours in that round or before, and one that changes is in the next frontier; so after the last round no neighbour's
// label is larger, on either side. A stale label is too large, never too small: then the atomic minimum, which is not stale, decides; and
// a vertex of the frontier gives the label that put it there, or a smaller one. O(arcs) per round in the worst case. The number of rounds
// grows with the diameter, and late rounds touch only vertices that still change, where label_propagation visits all. It is never
// combined with a sampler: labels are passed along whole rows of changed vertices, which a sampled set of arcs does not have, and a giant
// that is skipped would never pass its label on.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <finish/rounds.hpp>
#include <loops/frontier.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::finish {

/// Lowers the label of a vertex to `label` if that is smaller. The thread that lowers it first in this round appends the vertex to the next
/// frontier.
template <class P>
struct offer_label {
  using id = typename P::id;
  P p, before;
  template <class Append>
  COPSE_HOST_DEVICE void operator()(id to, id label, Append& append) const {
    if (label >= p.load(to)) return;
    const id replaced = p.fetch_min(to, label);
    if (label < replaced && replaced == before.load(to)) append(to);
  }
};

/// Offers the labels of the frontier to all neighbours.
template <class P>
struct give_label : backend::frontier_step {
  using id = typename P::id;
  offer_label<P> offer;

  COPSE_HOST_DEVICE explicit give_label(offer_label<P> label) noexcept : offer{label} {}
  COPSE_HOST_DEVICE id begin(id v) const { return offer.p.load(v); }
  template <class Append>
  COPSE_HOST_DEVICE bool along(id label, id target, Append& append) const {
    offer(target, label, append);
    return true;
  }
};

/// Lets every vertex take the smallest label of its neighbours.
template <class P>
struct take_label {
  using id = typename P::id;
  offer_label<P> offer;

  COPSE_HOST_DEVICE bool wants(id /*v*/) const noexcept { return true; }
  COPSE_HOST_DEVICE id begin(id v) const { return offer.p.load(v); }
  template <class Append>
  COPSE_HOST_DEVICE bool along(id& label, id target, Append& /*append*/) const {
    const id other = offer.p.load(target);
    if (other < label) label = other;
    return true;
  }
  template <class Append>
  COPSE_HOST_DEVICE void end(id v, id label, Append& append) const {
    offer(v, label, append);
  }
};

/// Copies the labels that changed to those that the next round begins with.
template <class P>
struct remember_label {
  using id = typename P::id;
  P p, before;
  const id* changed;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const { before.store(changed[i], p.load(changed[i])); }
};

struct ligra {
  static constexpr std::string_view name = "ligra";
  static constexpr std::string_view summary = "rounds: changed vertices give their label to all neighbours (Ligra's components)";
  static constexpr rule_traits traits{.root_based = false,
                                      .synchronous = true,
                                      .from_scratch = true,
                                      .needs_rows = true,
                                      .needs_symmetric = true,
                                      .aux = aux_array::frontiers_and_labels};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph) {
    using words = typename Backend::template parents<Id>;
    const auto& rows = graph.rows;
    const words p = context.trees.plain();
    buffer<Id> labels{graph.vertices, context.trees.memory()};
    const words before{labels.data()};
    for_vertices(context, copy_label<words>{p, before});
    const offer_label<words> offer{p, before};
    backend::frontier<Backend, Id, true> changed{context.loops, rows, context.trees.memory()};
    std::uint64_t frontier_arcs = rows.arcs;
    do {
      if (frontier_arcs > rows.arcs / 20) {
        changed.pull(take_label<words>{offer});
      } else {
        changed.push(give_label<words>{offer});
      }
      context.loops.for_each(changed.size(), remember_label<words>{p, before, changed.data()});
      frontier_arcs = changed.arcs();
    } while (changed.size() > 0);
  }
};

}  // namespace copse::finish
