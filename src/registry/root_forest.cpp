// root_forest(): levels of all trees at once, from their roots down. In a tree every vertex is reached along one edge only, so threads need
// no swaps, and the arrays depend on the edges alone. O(n) work; the deepest tree says in how many steps.
#include <backend/gather.hpp>
#include <backend/omp/omp.hpp>
#include <copse/core/error.hpp>
#include <copse/core/threads.hpp>
#include <copse/graph/build.hpp>
#include <copse/spanning_forest.hpp>

#include <string>
#include <utility>

namespace copse {
namespace {

constexpr std::size_t few_vertices = 2048;  // of one level: not worth a team of threads

template <class Id>
void expect_forest(coo_view<Id> edges, std::uint64_t trees) {
  const std::uint64_t n = edges.vertices();
  if (edges.edges.size() == n - trees) return;
  throw usage_error{"found " + std::to_string(edges.edges.size()) + " edges that join " + std::to_string(n) + " vertices to " +
                    std::to_string(trees) + " trees, expected " + std::to_string(n - trees) + ": a forest has no cycle"};
}
template <class Id>
void expect_vertices(coo_view<Id> edges) {
  const Id n = edges.vertices();
  for (const edge<Id> e : edges.edges) {
    if (e.u < n && e.v < n) continue;
    throw usage_error{"found an edge of vertices " + std::to_string(e.u) + " and " + std::to_string(e.v) + ", expected them below " +
                      std::to_string(n)};
  }
}

template <class Id, class Offset>
rooted_forest::arrays<Id> rooted(csr_view<Id, Offset> rows, const buffer<Id>& labels, const backend::omp& loops,
                                 std::pmr::memory_resource* memory) {
  const std::size_t n = rows.vertices();
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
      below(0, last - first);
    } else {
      loops.for_blocks(last - first, below);
    }
  }
  return made;
}

}  // namespace

rooted_forest root_forest(const graph& forest, const solve_options& options) {
  const auto root = [&]<class Id>(const coo<Id>& list) -> rooted_forest {
    expect_vertices(list.view());
    solve_options here = options;
    here.variant = "auto";
    here.gpu.reset();
    const auto trees = components(graph_view{list.view()}, here);
    expect_forest(list.view(), trees.count());
    const build_options how{
        .drop_duplicates = false, .drop_loops = false, .threads = options.threads, .observer = options.observer, .memory = options.memory};
    const backend::omp loops{usable_threads(options.threads), options.observer};
    const auto& labels = std::get<buffer<Id>>(trees.labels.labels());
    const auto root_rows = [&](const auto& rows) {
      return rooted_forest{rooted(rows.view(), labels, loops, options.memory), forest.names()};
    };
    if constexpr (sizeof(Id) == 4) {
      if (2 * list.edges.size() <= UINT32_MAX) return root_rows(build_rows<Id, std::uint32_t>(list.view(), how));
    }
    return root_rows(build_rows<Id, std::uint64_t>(list.view(), how));
  };
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> rooted_forest {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{"found a forest of rows, expected a list of edges"};
        } else {
          return root(shape);
        }
      },
      forest.shape());
}

}  // namespace copse
