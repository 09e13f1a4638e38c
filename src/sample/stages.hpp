// Stages (Cong and Muzio, Algorithm 3), a meta algorithm over any finish for edge lists: the edges, permuted, come in groups of about q n;
// each group's ends are replaced by their labels so far and solved by the finish. It is k-out sampling for edge lists: once a giant has
// formed, the ends of most later edges are the same hot label. The caller's edges are never written: a group has an array of its own.
// Permuted are lines of 8 edges (a cache line of 32-bit ids), not single edges, so that reading stays sequential where it counts.
#pragma once
#include <backend/gather.hpp>
#include <backend/solving.hpp>
#include <core/permutation.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace copse::sample {

struct stages {
  static constexpr std::string_view name = "stages";
  static constexpr bool needs_rows = false, skips_giant = false, regroups_edges = true;

  template <class Backend, class Id>
  static void sample(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> settle) {
    with.trees.plant(with.loops, [](Id v) { return v; });
    const std::size_t edges = graph.edges.size(), lines = (edges + line - 1) / line;
    const auto group_edges = static_cast<std::size_t>(with.options.stages_q * static_cast<double>(graph.vertices));
    const std::size_t group_lines = std::clamp<std::size_t>(group_edges / line, 1, std::max<std::size_t>(lines, 1));
    const permutation order{lines, random_stream{with.options.seed, 3}};
    backend::gathered<edge<Id>> group{group_lines * line, with.trees.memory()};
    for (std::size_t first = 0; first < lines; first += group_lines) {
      const std::size_t count = std::min(group_lines, lines - first);
      {
        const phase_timer time{with.times, "update"};
        group.clear();
        with.loops.for_blocks(count, [&, first](std::size_t begin, std::size_t end) {
          typename backend::gathered<edge<Id>>::appender append{group};
          for (std::size_t i = begin; i < end; ++i) {
            const std::size_t at = static_cast<std::size_t>(order(first + i)) * line;
            for (const edge<Id> e : graph.edges.subspan(at, std::min(line, edges - at))) {
              const edge<Id> updated{with.trees.parent(e.u), with.trees.parent(e.v)};
              if (updated.u != updated.v) append(updated);  // our addition: the paper keeps them
            }
          }
        });
      }
      backend::arc_set<Id> arcs = graph;
      arcs.edges = {group.data(), group.size()};
      settle(with, arcs);
      with.trees.flatten(with.loops);
    }
  }

private:
  static constexpr std::size_t line = 8;
};

}  // namespace copse::sample
