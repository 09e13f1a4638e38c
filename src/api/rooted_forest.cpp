// Functions that walk over the trees of a forest: root_forest() works by levels, or, if too many levels have few vertices, by an Euler
// tour, whose time does not depend on the depth; euler_tour() always makes a tour. A list of edges that is no forest is refused first.
#include <api/forest_rows.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/spanning_forest.hpp>
#include <core/phase_times.hpp>
#include <drivers/rooting/levels.hpp>
#include <drivers/rooting/tour.hpp>
#include <loops/threads.hpp>
#include <verify/proof.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <utility>

namespace copse::api {
namespace {

template <unsigned_index Id>
[[noreturn]] void refuse_first_beyond(coo_view<Id> edges) {
  const Id n = edges.vertices();
  std::size_t i = 0;
  while (edges.edges[i].u < n && edges.edges[i].v < n) ++i;
  throw usage_error{"vertices must be below " + std::to_string(n) + ", not " + std::to_string(edges.edges[i].u) + " and " +
                    std::to_string(edges.edges[i].v)};
}

template <unsigned_index Id>
[[noreturn]] void refuse_first_on_cycle(coo_view<Id> edges, const vertex_names& names, std::pmr::memory_resource* memory) {
  buffer<Id> parents{edges.vertices(), memory};
  for (Id v = 0; v < edges.vertices(); ++v) parents[v] = v;
  const auto root = [&](Id v) {
    for (; parents[v] != v; v = parents[v]) parents[v] = parents[parents[v]];
    return v;
  };
  std::size_t i = 0;
  for (;; ++i) {
    const Id u = root(edges.edges[i].u), v = root(edges.edges[i].v);
    if (u == v) break;
    parents[std::max(u, v)] = std::min(u, v);
  }
  throw usage_error{"the edges must be a forest; the edge of vertices " + name_in_message(names, edges.edges[i].u) + " and " +
                    name_in_message(names, edges.edges[i].v) + " closes a cycle"};
}

}  // namespace

template <unsigned_index Id>
void expect_vertices(coo_view<Id> edges, const execution& on) {
  std::atomic<bool> beyond{false};
  const backend::threads loops{usable_threads(on.threads), on.observer};
  loops.for_blocks(edges.edges.size(), [&beyond, all = edges.edges, n = edges.vertices()](std::size_t begin, std::size_t end) {
    bool found = false;
    for (std::size_t i = begin; i < end; ++i) found |= all[i].u >= n || all[i].v >= n;
    if (found) beyond.store(true, std::memory_order_relaxed);
  });
  if (beyond.load(std::memory_order_relaxed)) refuse_first_beyond(edges);
}

template <unsigned_index Id>
void expect_no_cycle(coo_view<Id> edges, std::span<const Id> labels, const vertex_names& names, const execution& on) {
  const std::size_t n = labels.size();
  std::atomic<std::size_t> trees{0};
  const backend::threads loops{usable_threads(on.threads), on.observer};
  loops.for_blocks(n, [&trees, labels](std::size_t begin, std::size_t end) {
    std::size_t roots = 0;
    for (std::size_t v = begin; v < end; ++v) roots += labels[v] == v ? 1 : 0;
    trees.fetch_add(roots, std::memory_order_relaxed);
  });
  if (edges.edges.size() != n - trees.load(std::memory_order_relaxed)) refuse_first_on_cycle(edges, names, on.memory);
}

template void expect_vertices(coo_view<std::uint32_t>, const execution&);
template void expect_vertices(coo_view<std::uint64_t>, const execution&);
template void expect_no_cycle(coo_view<std::uint32_t>, std::span<const std::uint32_t>, const vertex_names&, const execution&);
template void expect_no_cycle(coo_view<std::uint64_t>, std::span<const std::uint64_t>, const vertex_names&, const execution&);

}  // namespace copse::api

namespace copse {
namespace {

// An Euler tour takes as long for this many vertices as one thread takes for one level of a breadth-first search that has few vertices.
constexpr std::size_t vertices_a_level = 32;

template <class Id, class Offset>
rooted_forest::arrays<Id> rooted(csr_view<Id, Offset> rows, std::span<const Id> labels, const execution& on) {
  const backend::threads loops{usable_threads(on.threads), on.observer};
  // The breadth-first search is given up when its levels of few vertices have taken about as long as an Euler tour of all vertices would.
  // So the time is at most about twice that of the faster method.
  const std::size_t most_narrow = drivers::few_vertices + labels.size() / (vertices_a_level * loops.threads());
  if (auto by_levels = drivers::root_by_levels(loops, rows, labels, most_narrow, on.memory)) return std::move(*by_levels);
  solve_report report;
  phase_times times;
  execution by_cpu = on;
  by_cpu.device = "cpu";
  auto by_tour = drivers::tour(rows, labels, "auto", by_cpu, report, times);
  return {std::move(by_tour.parents), std::move(by_tour.depths)};
}

}  // namespace

rooted_forest root_forest(const graph& forest, const execution& on) {
  phase_times times;
  return api::of_forest_rows<rooted_forest>(forest, on, times, [&](auto rows, auto labels) {
    return rooted_forest{rooted(rows, labels, on), forest.names()};
  });
}

tour_result euler_tour(const graph& forest, const std::string& ranking, const execution& on) {
  const auto start = std::chrono::steady_clock::now();
  tour_result result;
  phase_times times;
  result.tour = api::of_forest_rows<forest_tour>(forest, on, times, [&](auto rows, auto labels) {
    return forest_tour{drivers::tour(rows, labels, ranking, on, result.report, times), forest.names()};
  });
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.report.phases = times.all();
  return result;
}

}  // namespace copse
