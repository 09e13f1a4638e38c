// weighted_forest(): checks the input, chooses a variant, runs it, and measures its time.
#include <api/check_view.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/weighted_forest.hpp>
#include <core/devices.hpp>
#include <core/gpu_part.hpp>
#include <core/memory_error.hpp>
#include <core/request.hpp>
#include <device/gpus.hpp>
#include <device/solver.hpp>
#include <device/weighted_forest.hpp>
#include <device/weighted_shares.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <variants/cuda.hpp>
#include <weighted/variants.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

struct chosen_entry {
  const weighted::weighted_entry& entry;
  std::vector<unsigned> gpus;  ///< empty for a variant of the CPU
  bool shares;                 ///< true if the edges are solved in shares, of which a GPU may take several
};

/// Chooses a variant and its devices, and writes the report's explanation.
chosen_entry chosen(const request<weighted_forest_options>& options, solve_report& report) {
  const named_devices devices = devices_of(options);
  if (devices.hybrid) throw usage_error{"device must be cpu or GPUs for weighted forests, not " + options.device};
  const bool on_gpus = devices.all_gpus || !devices.gpus.empty();
  if (on_gpus && !built_with_cuda()) throw usage_error{"device must be cpu, not " + options.device + ", in a build without the GPU part"};
  const bool shares = devices.several() || options.gpu_memory != UINT64_MAX;
  std::string name = options.variant;
  if (name == "auto" && on_gpus) {
    name = "cuda.filter_boruvka";
    report.explanation = (shares ? "auto: GPUs that share the edges: " : "auto: a GPU was asked for: ") + name;
  } else if (name == "auto") {
    weighted::weighted_choice choice = weighted::choose(usable_threads(options.threads));
    name = choice.name;
    report.explanation = std::move(choice.why);
  }
  const weighted::weighted_entry& entry = weighted::entry_named(name);
  if (entry.where != weighted::weighted_backend::cuda) {
    if (on_gpus) variant::refuse_cpu_variant(name);
    return {entry, {}, false};
  }
  return {entry, device::gpus_of(options), shares};
}

void expect_weights(weights_view weights, std::uint64_t edges, std::string_view what) {
  const auto count = std::visit([](const auto& column) { return std::uint64_t{column.size()}; }, weights);
  if (count == edges) return;
  throw usage_error{"weights must have one for each " + std::string{what} + ", " + std::to_string(edges) + ", not " +
                    std::to_string(count)};
}

/// Finds the forest on one GPU, to which it copies the graph and its weights. Returns the positions of its edges.
template <unsigned_index Id>
buffer<std::uint32_t> places_by_gpu(unsigned gpu, weighted::algorithm method, const weighted::shape<Id>& g, weights_view weights,
                                    const request<weighted_forest_options>& options, solve_report& report, phase_times& times) {
  if constexpr (has_gpu_part) {
    return std::visit(
        [&]<class Shape>(const Shape& view) -> buffer<std::uint32_t> {
          if constexpr (sizeof(Id) == 4) {
            constexpr std::uint64_t most_arcs = no_vertex<std::uint32_t>;
            const auto find = [&](auto by) {
              device::solver solver{{.device = gpu, .copies = {.threads = report.threads}}};
              report.device = std::string{variant::cuda_name}.append(":").append(std::to_string(solver.device()));
              return by(solver);
            };
            if constexpr (requires { view.offsets; }) {
              if (view.symmetric == symmetry::yes && view.sorted && view.targets.size() < most_arcs) {
                return find([&](device::solver& solver) {
                  return std::move(solver
                                       .weighted_forest_of_host(method, device::gpu_arcs_of(view), weights, options.goal, options.observer,
                                                                times, options.memory)
                                       .arcs);
                });
              }
            } else if (view.count < most_arcs / 2) {
              return find([&](device::solver& solver) {
                return device::weighted_forest_of_pairs(solver, method, view, weights, options.goal, options.observer, times,
                                                        options.memory);
              });
            }
          }
          throw usage_error{report.variant +
                            " needs edges, or symmetric rows with sorted targets, of 32-bit ids and fewer than 2^32 - 1 arcs"};
        },
        g);
  } else {
    throw usage_error{report.variant + ": this build has no GPU part"};
  }
}

/// Finds the forest on GPUs that solve shares of the edges. Returns the positions of its edges.
template <unsigned_index Id>
buffer<std::uint64_t> places_by_shares(std::span<const unsigned> gpus, weighted::algorithm method, const weighted::shape<Id>& g,
                                       const weights_view& weights, const request<weighted_forest_options>& options, solve_report& report,
                                       phase_times& times) {
  if constexpr (has_gpu_part && sizeof(Id) == 4) {
    report.device = std::string{variant::cuda_name};
    for (const unsigned gpu : gpus) report.device.append(report.device.ends_with('a') ? ":" : ",").append(std::to_string(gpu));
    return device::weighted_forest_by_shares(
        g, weights, {gpus, options.gpu_memory, method, options.goal, report.threads, options.observer, options.memory}, times);
  }
  throw usage_error{report.variant + " needs 32-bit ids, at most 2^32 - 1 vertices"};
}

template <unsigned_index Id>
weighted_forest_result solve(const weighted::shape<Id>& g, weights_view weights, Id vertices, const vertex_names& names,
                             const request<weighted_forest_options>& options) {
  const auto start = clock::now();
  weighted_forest_result result;
  result.goal = options.goal;
  solve_report& report = result.report;
  const chosen_entry found_entry = chosen(options, report);
  const weighted::weighted_entry& entry = found_entry.entry;
  const std::vector<unsigned>& gpus = found_entry.gpus;
  report.variant = entry.described.name;
  report.edges = std::visit([](const auto& column) { return std::uint64_t{column.size()}; }, weights);
  report.threads = entry.where == weighted::weighted_backend::serial ? 1 : usable_threads(options.threads);
  const auto weights_room = [&](std::uint64_t count) {
    return std::visit(
        [&]<class Weight>(std::span<const Weight>) {
          result.weights = weight_column{buffer<Weight>{count, options.memory}, std::max(weights.precision(), options.precision)};
          // Writing through const_cast is allowed, as the column was just made of memory that is not const.
          return reinterpret_cast<char*>(const_cast<Weight*>(std::get<buffer<Weight>>(result.weights.held()).data()));
        },
        weights);
  };
  phase_times times;
  weighted::search_settings settings{options.goal, report.threads, options.positions, weights_room, options.observer, options.memory};
  buffer<std::uint32_t> places;
  buffer<std::uint64_t> wide_places;
  const auto find_by_shares = [&] {
    wide_places = places_by_shares<Id>(gpus, entry.method, g, weights, options, report, times);
    settings.given = weighted::found_places{.wide = wide_places.span()};
  };
  if (found_entry.shares) {
    find_by_shares();
  } else if (!gpus.empty()) {
    try {
      places = places_by_gpu<Id>(gpus.front(), entry.method, g, weights, options, report, times);
      settings.given = weighted::found_places{.narrow = places.span()};
    } catch (const memory_error&) {  // out of host memory, for which it does not help to divide the edges
      throw;
    } catch (const resource_error& no_room) {
      if (options.variant != "auto") throw;
      report.explanation = std::string{no_room.what()} + ": the GPU solves shares of the edges, one after the other: " + report.variant;
      find_by_shares();
    }
  }
  auto found = entry.where == weighted::weighted_backend::serial
                   ? weighted::weighted_forest_code<backend::serial, Id>::run(entry.method, g, weights, settings, times)
                   : weighted::weighted_forest_code<backend::threads, Id>::run(entry.method, g, weights, settings, times);
  result.edges = graph{coo<Id>{vertices, std::move(found.edges)}, names};
  result.positions = std::move(found.positions);
  report.solve_seconds = std::chrono::duration<double>(clock::now() - start).count();
  report.phases = times.all();
  return result;
}

template <unsigned_index Id, unsigned_index Offset>
weighted_forest_result solve_view(csr_view<Id, Offset> rows, weights_view weights, const vertex_names& names,
                                  const request<weighted_forest_options>& options) {
  const symmetry said = rows.symmetric;
  rows = api::checked(rows, solve_request{{}, options.on()});
  // Even rows that store both directions of every edge may have different weights in each. One direction is left out only if the caller
  // called the rows symmetric.
  rows.symmetric = said;
  expect_weights(weights, rows.arcs(), "arc");
  return solve<Id>(rows, weights, rows.vertices(), names, options);
}
template <unsigned_index Id>
weighted_forest_result solve_view(coo_view<Id> list, weights_view weights, const vertex_names& names,
                                  const request<weighted_forest_options>& options) {
  list = api::checked(list, solve_request{{}, options.on()});
  expect_weights(weights, list.edges.size(), "edge");
  const Id* const ids = list.edges.empty() ? nullptr : &list.edges.front().u;
  return solve<Id>(weighted::pairs_view<Id>{list.vertex_count, ids, ids == nullptr ? nullptr : ids + 1, 2, list.edges.size()}, weights,
                   list.vertex_count, names, options);
}
template <unsigned_index Id>
weighted_forest_result solve_columns(edge_columns_view<Id> columns, weights_view weights, const request<weighted_forest_options>& options) {
  columns = api::checked(columns, solve_request{{}, options.on()});
  expect_weights(weights, columns.sources.size(), "edge");
  return solve<Id>(
      weighted::pairs_view<Id>{columns.vertex_count, columns.sources.data(), columns.targets.data(), 1, columns.sources.size()}, weights,
      columns.vertex_count, vertex_names::identity(columns.vertex_count), options);
}

}  // namespace

weighted_forest_result weighted_forest(graph_view g, weights_view weights, const weighted_forest_options& options, const execution& on) {
  return std::visit(
      [&](const auto& view) {
        return solve_view(view, weights, vertex_names::identity(std::uint64_t{view.vertices()}), {options, on});
      },
      g);
}

weighted_forest_result weighted_forest(const weighted_graph& g, const weighted_forest_options& options, const execution& on) {
  return std::visit([&](const auto& view) { return solve_view(view, g.weights.view(), g.edges.names(), {options, on}); }, g.edges.view());
}

weighted_forest_result weighted_forest(edge_columns_view<std::uint32_t> edges, weights_view weights, const weighted_forest_options& options,
                                       const execution& on) {
  return solve_columns(edges, weights, {options, on});
}
weighted_forest_result weighted_forest(edge_columns_view<std::uint64_t> edges, weights_view weights, const weighted_forest_options& options,
                                       const execution& on) {
  return solve_columns(edges, weights, {options, on});
}

}  // namespace copse
