// Roots a forest level after level, all trees at once, from their roots down. In a tree every vertex is reached along one edge only, so
// threads need no compare-and-swap, and the arrays depend on the edges alone. O(n) work; the number of steps is the depth of the deepest
// tree, and a step of few vertices runs on one thread, which waits for memory.
#pragma once
#include <copse/rooted_forest.hpp>
#include <copse/views.hpp>
#include <loops/gather.hpp>

#include <optional>
#include <span>
#include <utility>

namespace copse::drivers {

// The vertices of one depth are not worth several threads if there are at most this many.
inline constexpr std::size_t few_vertices = 2048;

/// Returns the parent and the depth of every vertex; or nothing, if at more than `most_narrow` depths there are at most few_vertices
/// vertices. `labels`: the root of every vertex.
template <class Loops, unsigned_index Id, unsigned_index Offset>
std::optional<rooted_forest::arrays<Id>> root_by_levels(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> labels,
                                                        std::size_t most_narrow, std::pmr::memory_resource* memory) {
  const std::size_t n = rows.vertices();
  rooted_forest::arrays<Id> result{buffer<Id>{n, memory}, buffer<Id>{n, memory}};
  backend::gathered<Id> reached{n, memory};  // the vertices, those of smaller depth first
  using appender = typename backend::gathered<Id>::appender;
  Id* const parents = result.parents.data();
  Id* const depths = result.depths.data();
  loops.for_blocks(n, [&](std::size_t begin, std::size_t end) {
    appender append{reached};
    for (std::size_t i = begin; i < end; ++i) {
      const Id v = static_cast<Id>(i);
      if (labels[v] != v) continue;
      parents[v] = v;
      depths[v] = 0;
      append(v);
    }
  });
  Id depth = 0;
  std::size_t narrow = 0;
  for (std::size_t first = 0, last = reached.size(); first < last; first = std::exchange(last, reached.size())) {
    ++depth;
    const auto below = [&, first, depth](std::size_t begin, std::size_t end) {
      appender append{reached};
      for (std::size_t i = begin; i < end; ++i) {
        const Id v = reached[first + i];
        for (const Id child : rows.row(v)) {
          if (child == parents[v]) continue;
          parents[child] = v;
          depths[child] = depth;
          append(child);
        }
      }
    };
    if (last - first > few_vertices) {
      loops.for_blocks(last - first, below);
    } else if (narrow++ == most_narrow) {
      return std::nullopt;
    } else {
      below(0, last - first);
    }
  }
  return result;
}

}  // namespace copse::drivers
