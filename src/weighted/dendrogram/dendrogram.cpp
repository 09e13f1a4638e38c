// dendrogram(): the forest's edges sorted, the heaviest first, contracted, and written as SciPy's rows.
#include <copse/dendrogram.hpp>
#include <copse/errors.hpp>
#include <loops/omp.hpp>
#include <loops/serial.hpp>
#include <weighted/dendrogram/heights.hpp>
#include <weighted/dendrogram/host_machine.hpp>
#include <weighted/dendrogram/merge_tree.hpp>
#include <weighted/dendrogram/on_gpu.hpp>
#include <weighted/sources.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse {
namespace {

/// Edges in the order in which they merge.
template <unsigned_index Id>
struct merging {
  buffer<Id> u, v;
  buffer<double> heights;
};

template <class Loops, unsigned_index Id, class Weight>
merging<Id> sorted(const Loops& loops, coo_view<Id> forest, std::span<const Weight> weights, std::optional<double> top,
                   weighted::heights& heights, std::pmr::memory_resource* memory) {
  using word = std::conditional_t<sizeof(Weight) == 4, std::uint32_t, std::uint64_t>;
  const std::size_t m = forest.edges.size();
  weighted::weight_order<word> order{weights, forest_goal::maximum};
  if (const auto bad = order.survey(loops, m))
    throw input_error{"weights: found one that is not a number at position " + std::to_string(*bad) + ", expected numbers"};
  const Id* const ids = m == 0 ? nullptr : &forest.edges.front().u;
  const weighted::pairs_source<Id, Id, word> source{forest.vertices(), ids, ids + 1, 2, m, order};
  weighted::record_list<typename decltype(source)::record_type> list{loops.threads(), memory};
  source.collect(loops, list, [](Id, Id, std::uint32_t) { return true; });
  const auto records = weighted::sorted_records(loops, list, source, memory);
  const auto weight = [&](std::size_t i) { return static_cast<double>(weights[records[i].at]); };
  heights = weighted::heights_of(m == 0 ? 0 : weight(0), m == 0 ? 0 : weight(m - 1), top);
  merging<Id> edges{buffer<Id>{m, memory}, buffer<Id>{m, memory}, buffer<double>{m, memory}};
  loops.for_each(m, [&, largest = heights.largest_weight](std::size_t i) {
    edges.u[i] = records[i].u;
    edges.v[i] = records[i].v;
    edges.heights[i] = largest - weight(i);
  });
  return edges;
}

template <class Loops, unsigned_index Id, class Weight>
void merge_on(const Loops& loops, coo_view<Id> forest, std::span<const Weight> weights, const dendrogram_options& options,
              dendrogram_result& result, phase_times& times) {
  const std::size_t n = forest.vertices();
  weighted::heights heights;
  merging<Id> edges;
  {
    const phase_timer timing{times, "sort"};
    edges = sorted(loops, forest, weights, options.top, heights, options.memory);
  }
  using host = weighted::host_machine<Loops>;
  const host machine{loops, options.memory};
  std::optional<weighted::merge_tree<host, Id>> tree;
  {
    const phase_timer timing{times, "contract"};
    tree.emplace(machine, n, edges.u.size(), edges.u.data(), edges.v.data());
  }
  edges.u = {};
  edges.v = {};
  const phase_timer timing{times, "merges"};
  result.merges = buffer<hierarchy::merge>{n - 1, options.memory};
  tree->write(edges.heights.data(), heights.top, result.merges.data());
}

template <unsigned_index Id, class Weight>
void merge(coo_view<Id> forest, std::span<const Weight> weights, const dendrogram_options& options, dendrogram_result& result,
           phase_times& times) {
  if (options.gpu) return weighted::merge_on_gpu(forest, weights_view{weights}, options, result, times);
  if (result.report.threads == 1)
    return merge_on(backend::serial{1, options.observer}, forest, weights, options, result, times);
  merge_on(backend::omp{result.report.threads, options.observer}, forest, weights, options, result, times);
}

}  // namespace

dendrogram_result dendrogram(const graph& forest, weights_view weights, const dendrogram_options& options) {
  const auto start = std::chrono::steady_clock::now();
  dendrogram_result result;
  result.report.threads = usable_threads(options.threads);
  phase_times times;
  std::visit(
      [&]<class Shape, class Weight>(const Shape& shape, std::span<const Weight> column) {
        if constexpr (requires { shape.edges; }) {
          const auto view = shape.view();
          using id = typename decltype(view)::id_type;
          if (column.size() != view.edges.size())
            throw usage_error{"weights: found " + std::to_string(column.size()) + ", expected one for each edge of the forest"};
          if (view.vertices() == 0) return;
          if (column.size() >= view.vertices()) {
            throw usage_error{"forest: found " + std::to_string(column.size()) + " edges on " + std::to_string(view.vertices()) +
                              " vertices, expected fewer: a forest has no cycle"};
          }
          // Names of vertices and of trees above them are below twice the number of vertices.
          if constexpr (sizeof(id) == 4) {
            if (view.vertices() >= id{1} << 31) throw usage_error{"forest: found 2^31 vertices or more, expected ids of 64 bits for them"};
          }
          merge(view, column, options, result, times);
        } else {
          throw usage_error{"forest: found rows, expected a list of edges"};
        }
      },
      forest.shape(), weights);
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.report.phases = times.all();
  return result;
}

}  // namespace copse
