// bridges(): one thread searches symmetric rows depth first; in all other cases bridges are found from the Euler tour of a spanning forest
// and the edges outside it (Tarjan and Vishkin). Then the answer is written in terms of the input.
#include <api/block_sets.hpp>
#include <api/bridge_parts.hpp>
#include <api/check_view.hpp>
#include <copse/bridges.hpp>
#include <copse/build.hpp>
#include <copse/spanning_forest.hpp>
#include <core/devices.hpp>
#include <core/new_pages.hpp>
#include <core/recycled_memory.hpp>
#include <core/request.hpp>
#include <drivers/bridges/cuts.hpp>
#include <drivers/bridges/lowpoint.hpp>
#include <drivers/rooting/ascending.hpp>
#include <drivers/rooting/tour.hpp>
#include <graph/scan.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

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

/// Returns `g` checked, and with its symmetry known: whether an edge is stored as one arc or as two decides which edges are repeated.
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

/// Finds bridges from the Euler tour of a spanning forest (Tarjan and Vishkin): for any view, with any number of threads.
template <class Loops, class View, unsigned_index Id = typename View::id_type>
drivers::found_cuts<Id> search_by_tags(const Loops& loops, const View& g, const request<bridges_options>& options, bridges_result& result,
                                       phase_times& times) {
  recycled_memory scratch{options.memory, loops.threads()};
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

/// Finds bridges by a depth-first search, with one thread.
template <unsigned_index Id, unsigned_index Offset>
drivers::found_cuts<Id> search_by_lowpoints(csr_view<Id, Offset> g, const request<bridges_options>& options, bridges_result& result,
                                            phase_times& times) {
  const phase_timer timing{times, "search"};
  result.report.variant = "lowpoint";
  const auto search = [&]<class Position>(Position) {
    const drivers::cuts_options wanted{options.simple, options.vertex_blocks};
    return drivers::lowpoint_search<Id, Offset, Position>{g, wanted, options.observer, options.memory}.run();
  };
  return g.targets.size() < UINT32_MAX ? search(std::uint32_t{}) : search(std::uint64_t{});
}

/// Looks up the edges of a view by their positions, which must ascend from call to call.
template <class View>
class ascending_edges {
public:
  using id = typename View::id_type;
  explicit ascending_edges(const View& g) noexcept : g_{g} {}
  edge<id> at(std::uint64_t position) {
    if constexpr (requires { g_.offsets; }) {
      if (row_ == no_vertex<id>) row_ = api::edge_at(g_, position).u;
      while (g_.offsets[row_ + 1] <= position) ++row_;
      return {row_, g_.targets[position]};
    } else {
      return g_.edges[position];
    }
  }

private:
  const View& g_;
  id row_ = no_vertex<id>;  ///< the row that holds the last position that was asked for
};

/// Lists the bridges in the order of the input: each bridge sets a bit for its position, and a pass over the bits lists them.
template <class Loops, class View, unsigned_index Id = typename View::id_type>
void list_bridges(const Loops& loops, const View& g, const buffer<drivers::tree_bridge<Id>>& bridges, const vertex_names& names,
                  const request<bridges_options>& options, bridges_result& result) {
  constexpr std::size_t positions_in_word = 32, chunk = std::size_t{1} << 12;
  auto edges = touched_buffer<edge<Id>>(loops.threads(), bridges.size(), options.memory);
  result.positions = touched_buffer<std::uint64_t>(loops.threads(), bridges.size(), options.memory);
  result.smaller_sides = touched_buffer<std::uint64_t>(loops.threads(), bridges.size(), options.memory);
  if (!bridges.empty()) {
    // Two bits for each position of the input: the first is set for a bridge that is stored there from the parent in the forest to the
    // child, the second for one from the child to the parent.
    buffer<std::uint64_t> bits{(edges_or_arcs(g) + positions_in_word - 1) / positions_in_word, options.memory};
    auto side_below = touched_buffer<Id>(loops.threads(), g.vertices(), options.memory);
    loops.clear(bits.data(), bits.size() * sizeof(std::uint64_t));
    loops.for_each(bridges.size(), [&g, &bits, &side_below, bridges = bridges.data()](std::size_t i) {
      const drivers::tree_bridge<Id>& bridge = bridges[i];
      side_below[bridge.child] = bridge.smaller_side;
      // True if the bridge is stored from the child to the parent. Symmetric rows store it from its smaller end.
      bool up = bridge.child < bridge.parent;
      if constexpr (requires { g.offsets; }) {
        if (g.symmetric != symmetry::yes) up = g.targets[bridge.position] != bridge.child;
      } else {
        up = g.edges[bridge.position].u == bridge.child;
      }
      const std::uint64_t bit = std::uint64_t{1} << (2 * (bridge.position % positions_in_word) + (up ? 1 : 0));
      std::uint64_t& word = bits[bridge.position / positions_in_word];
      if constexpr (Loops::concurrent) {
        std::atomic_ref<std::uint64_t>{word}.fetch_or(bit, std::memory_order_relaxed);
      } else {
        word |= bit;
      }
    });
    buffer<std::uint64_t> starts{(bits.size() + chunk - 1) / chunk, options.memory};
    loops.for_chunks(bits.size(), chunk, [&bits, &starts](std::size_t begin, std::size_t end) {
      std::uint64_t found = 0;
      for (std::size_t w = begin; w < end; ++w) found += static_cast<std::uint64_t>(bits[w] == 0 ? 0 : std::popcount(bits[w]));
      starts[begin / chunk] = found;
    });
    exclusive_scan(starts.span(), loops.threads());
    loops.for_chunks(bits.size(), chunk, [&](std::size_t begin, std::size_t end) {
      std::uint64_t to = starts[begin / chunk];
      ascending_edges<View> edge_at{g};
      for (std::size_t w = begin; w < end; ++w) {
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1) {
          const auto digit = static_cast<unsigned>(std::countr_zero(left));
          const std::uint64_t position = w * positions_in_word + digit / 2;
          const edge<Id> bridge = edge_at.at(position);
          edges[to] = bridge;
          result.positions[to] = position;
          result.smaller_sides[to++] = side_below[digit % 2 == 0 ? bridge.v : bridge.u];
        }
      }
    });
  }
  result.edges = graph{coo<Id>{g.vertices(), std::move(edges)}, names};
}

/// Returns the biconnected components. Precondition: list_bridges() made `bridges`.
template <class Loops, class View, unsigned_index Id = typename View::id_type>
vertex_sets block_sets_of(const Loops& loops, const View& g, const drivers::named_blocks<Id>& named, const graph& bridges,
                          std::pmr::memory_resource* memory) {
  bool ordered = false;
  if constexpr (requires { g.offsets; }) ordered = g.symmetric == symmetry::yes && g.sorted;
  return api::block_sets<Loops, Id>{loops, named, std::get<coo_view<Id>>(bridges.view()).edges, ordered, memory}.make();
}

template <class Loops, class View>
void answer(const Loops& loops, const View& g, const vertex_names& names, const request<bridges_options>& options, bridges_result& result,
            phase_times& times) {
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
  if (options.vertex_blocks) result.biconnected = block_sets_of(loops, g, found.named, result.edges, options.memory);
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
        by_cpu.device = "cpu";  // components() must not choose a device of its own, as with auto
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
