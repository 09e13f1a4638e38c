// dendrogram(): sorts the forest's edges, the heaviest first, contracts them, and writes SciPy's rows. With few threads, a sequential sweep
// takes the place of contraction.
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <core/devices.hpp>
#include <loops/threads.hpp>
#include <weighted/dendrogram/host_machine.hpp>
#include <weighted/dendrogram/merge_tree.hpp>
#include <weighted/dendrogram/on_gpu.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace copse {
namespace {

using id = std::uint32_t;  // ids name vertices and the trees above them, so they are below twice the number of vertices

/// Edges in the order in which they merge.
struct merge_list {
  buffer<id> u, v;
  buffer<double> heights;
};

template <unsigned_index Id, class Weight>
merge_list sorted(const backend::threads& loops, coo_view<Id> forest, std::span<const Weight> weights, std::optional<double> top,
                  weighted::heights& heights, std::pmr::memory_resource* memory) {
  const auto records = weighted::in_merge_order(loops, forest, weights, memory);
  const std::size_t m = records.size();
  const auto weight = [&](std::size_t i) { return static_cast<double>(weights[records[i].at]); };
  heights = weighted::heights_of(m == 0 ? 0 : weight(0), m == 0 ? 0 : weight(m - 1), top);
  merge_list edges{buffer<id>{m, memory}, buffer<id>{m, memory}, buffer<double>{m, memory}};
  loops.for_each(m, [&, largest = heights.largest_weight](std::size_t i) {
    edges.u[i] = static_cast<id>(records[i].u);
    edges.v[i] = static_cast<id>(records[i].v);
    edges.heights[i] = largest - weight(i);
  });
  return edges;
}

template <unsigned_index Id, class Weight>
void contract(coo_view<Id> forest, std::span<const Weight> weights, std::optional<double> top, const execution& on,
              dendrogram_result& result, phase_times& times) {
  using host = weighted::host_machine<backend::threads>;
  const backend::threads loops{result.report.threads, on.observer};
  const std::size_t n = forest.vertices();
  weighted::heights heights;
  merge_list edges;
  {
    const phase_timer timing{times, "sort"};
    edges = sorted(loops, forest, weights, top, heights, on.memory);
  }
  const host machine{loops, on.memory};
  std::optional<weighted::merge_tree<host, id>> tree;
  {
    const phase_timer timing{times, "contract"};
    tree.emplace(machine, n, edges.u.size(), edges.u.data(), edges.v.data());
  }
  edges.u = {};
  edges.v = {};
  const phase_timer timing{times, "merges"};
  result.merges = buffer<hierarchy::merge>{n - 1, on.memory};
  tree->write(edges.heights.data(), heights.top, result.merges.data());
}

void sweep(const graph& forest, weights_view weights, std::optional<double> top, const execution& on, dendrogram_result& result,
           phase_times& times) {
  const phase_timer timing{times, "sweep"};
  const auto merges = hierarchy{forest, weights, on.memory}.linkage(top);
  result.merges = buffer<hierarchy::merge>{merges.size(), on.memory};
  std::copy(merges.begin(), merges.end(), result.merges.begin());
}

}  // namespace

dendrogram_result dendrogram(const graph& forest, weights_view weights, std::optional<double> top, const execution& on) {
  const auto start = std::chrono::steady_clock::now();
  dendrogram_result result;
  result.report.threads = usable_threads(on.threads);
  phase_times times;
  std::visit(
      [&]<class Shape, class Weight>(const Shape& shape, std::span<const Weight> column) {
        if constexpr (requires { shape.edges; }) {
          const auto view = shape.view();
          if (column.size() != view.edges.size())
            throw usage_error{"weights must have one for each edge of the forest, " + std::to_string(view.edges.size()) + ", not " +
                              std::to_string(column.size())};
          if (view.vertices() == 0) return;
          if (column.size() >= view.vertices()) {
            throw usage_error{"a forest must have fewer edges than vertices, not " + std::to_string(column.size()) + " edges on " +
                              std::to_string(view.vertices()) + " vertices"};
          }
          if (gpu_of(on)) {
            weighted::merge_on_gpu(view, weights, top, on, result, times);
          } else if (weighted::worth_contracting(view.vertices(), result.report.threads)) {
            contract(view, column, top, on, result, times);
          } else {
            sweep(forest, weights, top, on, result, times);
          }
        } else {
          throw usage_error{"the forest must be a list of edges, not rows"};
        }
      },
      forest.shape(), weights);
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.report.phases = times.all();
  return result;
}

}  // namespace copse
