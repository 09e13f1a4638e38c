// root_forest(): levels of all trees at once, from their roots down. In a tree every vertex is reached along one edge only, so threads need
// no swaps, and the arrays depend on the edges alone. O(n) work; the deepest tree says in how many steps. Where these become too many, an
// Euler tour roots the forest instead: it takes somewhat longer than levels that are wide, but as long whatever the depth.
#include <backend/gather.hpp>
#include <backend/omp/omp.hpp>
#include <copse/core/threads.hpp>
#include <copse/spanning_forest.hpp>
#include <drivers/euler_tour/tour.hpp>
#include <registry/forest_rows.hpp>

#include <optional>
#include <utility>

namespace copse {
namespace {

constexpr std::size_t few_vertices = 2048;  // of one level: not worth a team of threads
// A step of few vertices waits for memory while a tour would do that of so many vertices on one thread.
constexpr std::size_t vertices_a_step = 16;

/// Nothing: too many steps.
template <class Id, class Offset>
std::optional<rooted_forest::arrays<Id>> rooted_by_levels(csr_view<Id, Offset> rows, std::span<const Id> labels, const backend::omp& loops,
                                                          std::pmr::memory_resource* memory) {
  const std::size_t n = rows.vertices();
  const std::size_t most_narrow = few_vertices + n / (vertices_a_step * loops.threads());
  rooted_forest::arrays<Id> made{buffer<Id>{n, memory}, buffer<Id>{n, memory}};
  backend::gathered<Id> reached{n, memory};  // level after level
  using appender = typename backend::gathered<Id>::appender;
  Id* const parents = made.parents.data();
  Id* const depths = made.depths.data();
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
    if (last - first <= few_vertices) {
      if (++narrow > most_narrow) return std::nullopt;
      below(0, last - first);
    } else {
      loops.for_blocks(last - first, below);
    }
  }
  return made;
}

template <class Id, class Offset>
rooted_forest::arrays<Id> rooted(csr_view<Id, Offset> rows, std::span<const Id> labels, const solve_options& options) {
  const backend::omp loops{usable_threads(options.threads), options.observer};
  if (auto made = rooted_by_levels(rows, labels, loops, options.memory)) return std::move(*made);
  tour_report report;
  phase_times times;
  auto made =
      drivers::tour(rows, labels, {.threads = options.threads, .observer = options.observer, .memory = options.memory}, report, times);
  return {std::move(made.parents), std::move(made.depths)};
}

}  // namespace

rooted_forest root_forest(const graph& forest, const solve_options& options) {
  phase_times times;
  return registry::of_forest_rows<rooted_forest>(forest, options, times, [&](auto rows, auto labels) {
    return rooted_forest{rooted(rows, labels, options), forest.names()};
  });
}

}  // namespace copse
