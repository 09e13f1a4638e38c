// Ligra's components (Shun and Blelloch 2013; ECL-CC thesis, Algorithm 7): a frontier of the vertices whose label has changed, at first
// all, offers its labels to all neighbours; who gets a smaller one is in the next frontier, once. Done when a frontier is empty.
// Once: of the threads that lower a label in a round, one alone replaces the label of the round's beginning (an atomic minimum says what it
// replaced). Right: whoever changes after its offers is in the next frontier, so at the end all last labels have been offered.
// O(arcs) a round at worst, rounds grow with the diameter; late rounds touch only what still changes, where label_propagation visits all.
// Unsampled: offers go along whole rows of changed vertices, which a sampled set of arcs does not have, and a giant that is passed over
// would never offer its label.
#pragma once
#include <backend/gather.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/rule_traits.hpp>
#include <finish/rounds.hpp>

#include <string_view>

namespace copse::finish {

struct ligra {
  static constexpr std::string_view name = "ligra";
  static constexpr std::string_view summary = "rounds: changed vertices offer their label to all neighbours (Ligra's components)";
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
    auto* const memory = with.trees.memory();
    const auto p = with.trees.plain();
    buffer<Id> words{n, memory};
    const typename Backend::template parents<Id> before{words.data()};
    backend::gathered<Id> now{n, memory}, next{n, memory};
    with.loops.for_blocks(n, [&](std::size_t begin, std::size_t end) {
      appender append{now};
      for (std::size_t i = begin; i < end; ++i) {
        const Id v = static_cast<Id>(i);
        before.store(v, p.load(v));
        append(v);
      }
    });
    while (now.size() > 0) {
      next.clear();
      with.loops.for_blocks(now.size(), [&](std::size_t begin, std::size_t end) {
        appender append{next};
        for (std::size_t i = begin; i < end; ++i) {
          const Id label = p.load(now[i]);
          for (const Id target : graph.rows.row(now[i])) {
            if (label >= p.load(target)) continue;
            const Id replaced = p.fetch_min(target, label);
            if (label < replaced && replaced == before.load(target)) append(target);
          }
        }
      });
      with.loops.for_blocks(next.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) before.store(next[i], p.load(next[i]));
      });
      now.swap(next);
    }
  }
};

}  // namespace copse::finish
