// Depth-first search from every vertex not yet seen, in ascending order, so that the start is the smallest of its component.
// O(n + arcs) time, an explicit stack of at most n vertices. For one thread; edges must be stored in both directions.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/rule_traits.hpp>
#include <copse/core/solve_options.hpp>
#include <copse/graph/csr.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace copse::finish {

struct dfs {
  static constexpr std::string_view name = "dfs";
  static constexpr std::string_view summary = "depth-first search from every unseen vertex";
  static constexpr rule_traits traits{
      .concurrent = false, .root_based = false, .needs_rows = true, .needs_symmetric = true, .aux = aux_array::search_stack};

  template <class Backend, class Id, class Offset>
  static void run(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, std::optional<Id> /*giant*/,
                  const solve_options& options) {
    buffer<Id> stack{g.vertices(), options.memory};
    std::size_t depth = 0;
    // Every vertex is its own parent until a search reaches it from a smaller one; a start stays its own.
    backend.for_blocks(g.vertices(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Id start = static_cast<Id>(i);
        if (p.parent(p.load(start)) != start) continue;
        stack[depth++] = start;
        while (depth > 0) {
          for (const Id target : g.row(stack[--depth])) {
            if (target <= start || p.parent(p.load(target)) != target) continue;
            p.store(target, p.link(start));
            stack[depth++] = target;
          }
        }
      }
    });
  }
};

}  // namespace copse::finish
