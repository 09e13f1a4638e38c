// Depth-first search from every vertex not yet seen, in ascending order, so that the start is the smallest of its component.
// O(n + arcs) time, an explicit stack of at most n vertices. For one thread; edges must be stored in both directions.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <loops/solve_context.hpp>

#include <cstddef>
#include <string_view>

namespace copse::finish {

struct dfs {
  static constexpr std::string_view name = "dfs";
  static constexpr std::string_view summary = "depth-first search from every unseen vertex";
  static constexpr rule_traits traits{.concurrent = false,
                                      .root_based = false,
                                      .from_scratch = true,
                                      .needs_rows = true,
                                      .needs_symmetric = true,
                                      .aux = aux_array::search_stack};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph) {
    const auto p = context.trees.plain();
    buffer<Id> stack{graph.vertices, context.trees.memory()};
    std::size_t depth = 0;
    // Every vertex is its own parent until a search from a smaller vertex reaches it; the start of a search stays its own parent.
    context.loops.for_blocks(graph.vertices, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Id start = static_cast<Id>(i);
        if (p.load(start) != start) continue;
        stack[depth++] = start;
        while (depth > 0) {
          const Id v = stack[--depth];
          backend::inspected<Backend>(graph.rows.degree(v));
          for (const Id target : graph.rows.row(v)) {
            if (target <= start || p.load(target) != target) continue;
            p.store(target, start);
            stack[depth++] = target;
          }
        }
      }
    });
  }
};

}  // namespace copse::finish
