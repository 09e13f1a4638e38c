// Breadth-first search from every vertex not yet reached, in ascending order, so that the start is the smallest vertex of its component.
// The threads share each search, which gains little if there are many components, or one of large diameter.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <loops/frontier.hpp>
#include <loops/solve_context.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace copse::finish {

/// True for a vertex where the next search may begin; an isolated vertex needs no search.
template <class P>
struct unreached_with_arcs {
  P p;
  backend::any_rows<typename P::id> rows;
  COPSE_HOST_DEVICE bool operator()(std::size_t i) const {
    const auto v = static_cast<typename P::id>(i);
    return p.load(v) == v && rows.degree(v) > 0;
  }
};

struct bfs_cc {
  static constexpr std::string_view name = "bfs_cc";
  static constexpr std::string_view summary = "parallel breadth-first search, component after component";
  static constexpr rule_traits traits{
      .root_based = false, .from_scratch = true, .needs_rows = true, .needs_symmetric = true, .aux = aux_array::frontiers};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph) {
    const auto p = context.trees.plain();
    const std::size_t n = graph.vertices;
    auto reached = backend::search_frontier(context.loops, graph.rows, context.trees.memory());
    const unreached_with_arcs<std::remove_const_t<decltype(p)>> unreached{p, graph.rows};
    // The start of a search still is its own parent afterwards, as if it were unreached, so the next start is looked for behind it.
    for (std::size_t start = 0; (start = context.loops.first_that(start, n, unreached)) < n; ++start) {
      backend::reach(graph.rows, p, static_cast<Id>(start), reached);
    }
  }
};

}  // namespace copse::finish
