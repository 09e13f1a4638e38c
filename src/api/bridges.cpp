// bridges(): on one thread a depth-first search of rows; otherwise a spanning forest, its tour, and what the other edges say of it. Then
// the answer in terms of the input.
#include <api/block_sets.hpp>
#include <api/bridge_parts.hpp>
#include <api/check_view.hpp>
#include <copse/bridges.hpp>
#include <copse/build.hpp>
#include <copse/spanning_forest.hpp>
#include <core/devices.hpp>
#include <core/recycled_memory.hpp>
#include <core/request.hpp>
#include <drivers/bridges/cuts.hpp>
#include <drivers/bridges/lowpoint.hpp>
#include <drivers/rooting/ascending.hpp>
#include <drivers/rooting/ranked_bits.hpp>
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

template <class View>
std::size_t edges_or_arcs(const View& g) {
  if constexpr (requires { g.targets; }) {
    return g.targets.size();
  } else {
    return g.edges.size();
  }
}

/// Rows whose directions are known: whether an arc stands for half an edge decides what is a repeated edge.
template <class View>
View known(View g, const request<bridges_options>& options) {
  g = api::checked(g, solve_request{{}, options.on()});
  if constexpr (requires { g.offsets; }) g.symmetric = detect_symmetry(g, options.on());
  return g;
}

template <unsigned_index Id>
struct toured_forest {
  std::uint64_t trees = 0;
  buffer<Id> labels;
  forest_tour::arrays<Id> tour;
};

template <class View, unsigned_index Id = typename View::id_type>
toured_forest<Id> tour_of(const View& g, const request<bridges_options>& options, solve_report& report, phase_times& times) {
  toured_forest<Id> found;
  buffer<edge<Id>> edges;
  {
    const phase_timer timing{times, "forest"};
    found.labels = buffer<Id>{g.vertices(), options.memory};
    edges = buffer<edge<Id>>{std::min<std::size_t>(g.vertices() == 0 ? 0 : g.vertices() - 1, edges_or_arcs(g)), options.memory};
    auto summary = spanning_forest(g, edges.span(), found.labels.span(), {}, options.on());
    edges.shrink(summary.edge_count);
    found.trees = g.vertices() - summary.edge_count;
    report.variant = std::move(summary.report.variant);
  }
  const phase_timer timing{times, "tour"};
  const build_options building{.drop_duplicates = false, .drop_loops = false};
  const auto walk = [&]<class Offset>(Offset) {
    const auto rows = build_rows<Id, Offset>(coo_view<Id>{g.vertices(), edges.span(), true}, building, options.on());
    edges = {};
    solve_report unused;
    phase_times parts;
    found.tour = drivers::tour(rows.view(), std::span<const Id>{found.labels.span()}, "auto", options.on(), unused, parts);
  };
  if (sizeof(Id) == 4 && 2 * edges.size() <= UINT32_MAX) {
    if constexpr (sizeof(Id) == 4) walk(std::uint32_t{});
  } else {
    walk(std::uint64_t{});
  }
  return found;
}

/// By the tags of a spanning forest: any view, any number of threads.
template <class Loops, class View, unsigned_index Id = typename View::id_type>
drivers::found_cuts<Id> search_by_tags(const Loops& loops, const View& g, const request<bridges_options>& options, bridges_result& result,
                                       phase_times& times) {
  recycled_memory scratch{options.memory};
  request<bridges_options> within = options;
  within.memory = &scratch;
  const toured_forest<Id> forest = tour_of(g, within, result.report, times);
  drivers::cuts<Loops, Id> cuts{loops, forest.tour, &scratch};
  std::uint64_t repeats = 0;
  {
    const phase_timer timing{times, "edges"};
    repeats = cuts.look_at_edges(g, options.simple);
  }
  {
    const phase_timer timing{times, "subtrees"};
    cuts.spread();
  }
  {
    const phase_timer timing{times, "blocks"};
    cuts.unite_edges(g);
  }
  const phase_timer timing{times, "answer"};
  auto found = cuts.answer(g, forest.labels.span(), options.vertex_blocks, options.memory);
  found.components = forest.trees;
  found.repeats = repeats;
  return found;
}

/// By a depth-first search: one thread.
template <unsigned_index Id, unsigned_index Offset>
drivers::found_cuts<Id> search_by_lowpoints(csr_view<Id, Offset> g, const request<bridges_options>& options, bridges_result& result,
                                            phase_times& times) {
  const phase_timer timing{times, "search"};
  result.report.variant = "lowpoint";
  return drivers::lowpoint_search<Id, Offset>{g, {options.simple, options.vertex_blocks}, options.observer, options.memory}.run();
}

/// The bridges in the order of the input.
template <class Loops, class View, unsigned_index Id = typename View::id_type>
void list_bridges(const Loops& loops, const View& g, const buffer<drivers::tree_bridge<Id>>& bridges, const vertex_names& names,
                  const request<bridges_options>& options, bridges_result& result) {
  const auto in_order = [&]<class Word>(Word, std::size_t positions) {
    drivers::ranked_bits<Loops, Word> order{loops, positions, options.memory};
    loops.for_each(bridges.size(), [&](std::size_t i) { order.set(static_cast<Word>(bridges[i].position)); });
    order.count(loops);
    buffer<edge<Id>> edges{bridges.size(), options.memory};
    result.positions = buffer<std::uint64_t>{bridges.size(), options.memory};
    result.smaller_sides = buffer<std::uint64_t>{bridges.size(), options.memory};
    loops.for_each(bridges.size(), [&](std::size_t i) {
      const drivers::tree_bridge<Id>& bridge = bridges[i];
      const std::size_t to = order.through(static_cast<Word>(bridge.position)) - 1;
      result.positions[to] = bridge.position;
      result.smaller_sides[to] = bridge.smaller_side;
      if constexpr (requires { g.offsets; }) {
        const Id target = g.targets[bridge.position];
        edges[to] = {target == bridge.child ? bridge.parent : bridge.child, target};
      } else {
        edges[to] = g.edges[bridge.position];
      }
    });
    result.edges = graph{coo<Id>{g.vertices(), std::move(edges)}, names};
  };
  const std::size_t positions = edges_or_arcs(g);
  if (positions <= UINT32_MAX) {
    in_order(std::uint32_t{}, positions);
  } else {
    in_order(std::uint64_t{}, positions);
  }
}

template <class Loops, class View>
void answer(const Loops& loops, const View& g, const vertex_names& names, const request<bridges_options>& options, bridges_result& result,
            phase_times& times) {
  using id = typename View::id_type;
  auto found = [&] {
    if constexpr (!Loops::concurrent && requires { g.offsets; }) {
      if (g.symmetric == symmetry::yes) return search_by_lowpoints(g, options, result, times);
    }
    return search_by_tags(loops, g, options, result, times);
  }();
  const phase_timer timing{times, "answer"};
  list_bridges(loops, g, found.bridges, names, options, result);
  result.repeated_edges = found.repeats;
  result.components = found.components;
  result.two_edge_connected_count = found.components + found.bridges.size();
  result.biconnected_count = found.blocks;
  result.articulation_points = drivers::ascending<std::uint64_t>(
      loops, g.vertices(), [points = found.points.data()](std::size_t v) { return points[v] != 0; }, options.memory);
  result.two_edge_connected = labelling{std::move(found.labels), names};
  if (options.vertex_blocks) result.biconnected = api::block_sets<Loops, id>{loops, found.named, options.memory}.make();
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
