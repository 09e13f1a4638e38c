// Ligra's components (Shun and Blelloch 2013; ECL-CC thesis, Algorithm 7): vertices whose label has changed, at first all, are the frontier
// whose labels go to all neighbours; who gets a smaller one is in the next frontier, once. Done when a frontier is empty. As Ligra does, a
// frontier with more than 1/20 of the arcs is not pushed: every vertex takes the smallest label of its neighbours instead, in order.
// Once: of the threads that lower a label in a round, one alone replaces the label of the round's beginning (an atomic minimum says what
// it replaced). Right: who does not change in a round has given its label to all neighbours in that round or before, and who does change is
// in the next frontier; so after the last round no neighbour's label is larger, on either side.
// O(arcs) a round at worst; rounds grow with the diameter; late rounds touch only what still changes, where label_propagation visits all.
// Unsampled: labels go along whole rows of changed vertices, which a sampled set of arcs does not have, and a giant that is passed over
// would never give its label away.
#pragma once
#include <backend/counted.hpp>
#include <backend/gather.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/rule_traits.hpp>
#include <finish/rounds.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::finish {

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
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph) {
    using appender = typename backend::gathered<Id>::appender;
    const Id n = graph.vertices;
    const auto& rows = graph.rows;
    const auto p = with.trees.plain();
    buffer<Id> words{n, with.trees.memory()};
    const typename Backend::template parents<Id> before{words.data()};
    for_vertices(with, [=](Id v) { before.store(v, p.load(v)); });
    const auto offer = [=](Id to, Id label, appender& append) {
      if (label >= p.load(to)) return false;
      const Id replaced = p.fetch_min(to, label);
      if (label >= replaced || replaced != before.load(to)) return false;
      append(to);
      return true;
    };
    backend::gathered<Id> now{n, with.trees.memory()}, next{n, with.trees.memory()};
    const std::uint64_t arcs = rows.offsets[n];
    std::uint64_t frontier_arcs = arcs;
    do {
      next.clear();
      std::atomic<std::uint64_t> next_arcs{0};
      const bool pull = frontier_arcs > arcs / 20;
      with.loops.for_blocks(pull ? n : now.size(), [&](std::size_t begin, std::size_t end) {
        appender append{next};
        std::uint64_t found = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const Id v = pull ? static_cast<Id>(i) : now[i];
          Id label = p.load(v);
          backend::inspected<Backend>(rows.degree(v));
          for (const Id target : rows.row(v)) {
            if (pull) {
              label = std::min(label, p.load(target));
            } else if (offer(target, label, append)) {
              found += rows.degree(target);
            }
          }
          if (pull && offer(v, label, append)) found += rows.degree(v);
        }
        next_arcs.fetch_add(found, std::memory_order_relaxed);
      });
      with.loops.for_blocks(next.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) before.store(next[i], p.load(next[i]));
      });
      now.swap(next);
      frontier_arcs = next_arcs.load(std::memory_order_relaxed);
    } while (now.size() > 0);
  }
};

}  // namespace copse::finish
