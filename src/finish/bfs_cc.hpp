// Breadth-first search from every vertex not yet reached, in ascending order, so that the start is the smallest of its component; the
// threads share each search. Many components, or one of large diameter, leave them little to share.
#pragma once
#include <backend/search.hpp>
#include <backend/solving.hpp>
#include <copse/core/rule_traits.hpp>

#include <string_view>

namespace copse::finish {

struct bfs_cc {
  static constexpr std::string_view name = "bfs_cc";
  static constexpr std::string_view summary = "parallel breadth-first search, component after component";
  static constexpr rule_traits traits{
      .root_based = false, .from_scratch = true, .needs_rows = true, .needs_symmetric = true, .aux = aux_array::search_stack};

  template <class Backend, class Id>
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph) {
    const auto p = with.trees.plain();
    backend::frontiers<Id> queues{graph.vertices, with.trees.memory()};
    for (Id start = 0; start < graph.vertices; ++start) {
      if (p.load(start) == start && graph.rows.degree(start) > 0) backend::reach(with.loops, graph.rows, p, start, queues);
    }
  }
};

}  // namespace copse::finish
