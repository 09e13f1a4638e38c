// bridges(): a spanning forest, its tour, what the other edges tell of it, and the answer in terms of the input.
#include <api/bridge_parts.hpp>
#include <api/check_view.hpp>
#include <copse/bridges.hpp>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/spanning_forest.hpp>
#include <core/devices.hpp>
#include <core/parallel_sort.hpp>
#include <core/request.hpp>
#include <drivers/bridges/cuts.hpp>
#include <drivers/rooting/ascending.hpp>
#include <drivers/rooting/tour.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace copse {
namespace {

/// Rows whose directions are known: whether an arc stands for half an edge decides what is a repeated edge.
template <class View>
View known(View g, const request<bridges_options>& options) {
  g = api::checked(g, solve_request{{}, options.on()});
  if constexpr (requires { g.offsets; }) g.symmetric = detect_symmetry(g, options.on());
  return g;
}

template <unsigned_index Id>
struct toured_forest {
  buffer<edge<Id>> edges;
  buffer<Id> labels;
  forest_tour::arrays<Id> tour;
};

template <class View, unsigned_index Id = typename View::id_type>
toured_forest<Id> tour_of(const View& g, const request<bridges_options>& options, solve_report& report, phase_times& times) {
  toured_forest<Id> found;
  {
    const phase_timer timing{times, "forest"};
    found.labels = buffer<Id>{g.vertices(), options.memory};
    const std::uint64_t most = [&] {
      if constexpr (requires { g.targets; }) {
        return std::uint64_t{g.targets.size()};
      } else {
        return std::uint64_t{g.edges.size()};
      }
    }();
    found.edges = buffer<edge<Id>>{std::min<std::uint64_t>(g.vertices() == 0 ? 0 : g.vertices() - 1, most), options.memory};
    auto summary = spanning_forest(g, found.edges.span(), found.labels.span(), {}, options.on());
    found.edges.shrink(summary.edge_count);
    report.variant = std::move(summary.report.variant);
  }
  const phase_timer timing{times, "tour"};
  const build_options building{.drop_duplicates = false, .drop_loops = false};
  const auto walk = [&]<class Offset>(Offset) {
    const auto rows = build_rows<Id, Offset>(coo_view<Id>{g.vertices(), found.edges.span(), true}, building, options.on());
    solve_report unused;
    phase_times parts;
    found.tour = drivers::tour(rows.view(), std::span<const Id>{found.labels.span()}, "auto", options.on(), unused, parts);
  };
  if (sizeof(Id) == 4 && 2 * found.edges.size() <= UINT32_MAX) {
    if constexpr (sizeof(Id) == 4) walk(std::uint32_t{});
  } else {
    walk(std::uint64_t{});
  }
  return found;
}

/// Labels of what the forest joins without its bridges.
template <class Loops, class Cuts, unsigned_index Id>
labelling labels_without_bridges(const Loops& loops, const Cuts& found, const toured_forest<Id>& forest, const vertex_names& names,
                                 const request<bridges_options>& options) {
  const auto kept = drivers::ascending<Id>(
      loops, forest.labels.size(), [&found](std::size_t p) { return !found.is_root(p) && !found.is_bridge(p); }, options.memory);
  buffer<edge<Id>> edges{kept.size(), options.memory};
  loops.for_each(kept.size(), [&](std::size_t i) { edges[i] = {forest.tour.order[found.parent(kept[i])], forest.tour.order[kept[i]]}; });
  buffer<Id> labels{forest.labels.size(), options.memory};
  components(coo_view<Id>{static_cast<Id>(forest.labels.size()), edges.span(), true}, labels.span(), {}, options.on());
  return labelling{std::move(labels), names};
}

template <class Loops, class View>
void answer(const Loops& loops, const View& g, const vertex_names& names, const request<bridges_options>& options, bridges_result& result,
            phase_times& times) {
  using id = typename View::id_type;
  toured_forest<id> forest = tour_of(g, options, result.report, times);
  const auto& tour = forest.tour;
  drivers::cuts<Loops, id> found{loops, tour, options.memory};
  {
    const phase_timer timing{times, "edges"};
    result.repeated_edges = found.look_at_edges(g, options.simple);
  }
  {
    const phase_timer timing{times, "subtrees"};
    found.spread();
  }
  const phase_timer timing{times, "answer"};
  const std::size_t n = tour.order.size();
  result.components = n - forest.edges.size();
  auto cut = drivers::ascending<id>(
      loops, n, [&found](std::size_t p) { return found.is_bridge(p); }, options.memory);
  parallel_sort(
      cut.span(), [&found](id a, id b) { return found.position(a) < found.position(b); }, loops.threads());
  buffer<edge<id>> edges{cut.size(), options.memory};
  result.positions = buffer<std::uint64_t>{cut.size(), options.memory};
  result.smaller_sides = buffer<std::uint64_t>{cut.size(), options.memory};
  loops.for_each(cut.size(), [&](std::size_t i) {
    const id below = found.size(cut[i]), whole = tour.sizes[forest.labels[tour.order[cut[i]]]];
    result.positions[i] = found.position(cut[i]);
    result.smaller_sides[i] = std::min<id>(below, whole - below);
    edges[i] = api::edge_at(g, result.positions[i]);
  });
  result.edges = graph{coo<id>{g.vertices(), std::move(edges)}, names};

  buffer<unsigned char> marks{n, options.memory};
  found.mark_articulations(marks.span());
  result.articulation_points = drivers::ascending<std::uint64_t>(
      loops, n, [&](std::size_t v) { return marks[tour.preorder[v]] != 0; }, options.memory);
  result.two_edge_connected = labels_without_bridges(loops, found, forest, names, options);
  result.two_edge_connected_count = result.components + cut.size();
  result.biconnected_count = drivers::ascending<id>(
                                 loops, n, [&found](std::size_t p) { return found.is_block(p); }, options.memory)
                                 .size();
  if (options.vertex_blocks)
    result.biconnected = api::blocks_of(found, tour.order.span(), result.biconnected_count, loops.threads(), options.memory);
}

bridges_result solve(graph_view whole, const vertex_names& names, const request<bridges_options>& options) {
  const auto start = std::chrono::steady_clock::now();
  bridges_result result;
  result.report.threads = usable_threads(options.threads);
  phase_times times;
  std::visit(
      [&](const auto& view) {
        const auto g = known(view, options);
        if (gpu_of(options)) return api::bridges_on_gpu(g, names, options, result, times);
        request<bridges_options> by_cpu = options;
        by_cpu.device = "cpu";  // not auto: components() would choose
        if (result.report.threads == 1) {
          answer(backend::serial{1, options.observer}, g, names, by_cpu, result, times);
        } else {
          answer(backend::threads{result.report.threads, options.observer}, g, names, by_cpu, result, times);
        }
      },
      whole);
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.report.phases = times.all();
  return result;
}

}  // namespace

bridges_result bridges(const graph& g, const bridges_options& options, const execution& on) {
  return solve(g.view(), g.names(), {options, on});
}

bridges_result bridges(graph_view g, const bridges_options& options, const execution& on) {
  const auto n = std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g);
  return solve(g, vertex_names::identity(n), {options, on});
}

}  // namespace copse
