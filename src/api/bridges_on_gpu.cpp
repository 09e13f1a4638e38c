#include <api/block_sets.hpp>
#include <api/bridge_parts.hpp>
#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <core/parallel.hpp>
#include <core/request.hpp>
#include <device/solver.hpp>
#include <drivers/bridges/cuda/cuts.hpp>
#include <drivers/rooting/ascending.hpp>
#include <loops/threads.hpp>
#include <variants/cuda.hpp>
#include <variants/gpu_choice.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace copse::api {
namespace {

using id = std::uint32_t;

template <class To, class From>
buffer<To> widened(const buffer<From>& from, unsigned threads, std::pmr::memory_resource* memory) {
  buffer<To> to{from.size(), memory};
  parallel_blocks(threads, from.size(), std::size_t{1} << 16,
                  [&](std::size_t begin, std::size_t end) { std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin); });
  return to;
}

}  // namespace

void bridges_on_gpu(graph_view g, const vertex_names& names, const request<bridges_options>& options, bridges_result& result,
                    phase_times& times) {
  device::solver solver{
      {.device = gpu_of(options).value_or(0), .memory_limit_bytes = options.gpu_memory, .copies = {.threads = options.threads}}};
  result.report.device = std::string{variant::cuda_name}.append(":").append(std::to_string(solver.device()));
  const auto chosen = variant::gpu_variant_for_host(g, "auto", problem_kind::forest);
  const variant::table_entry& entry = *chosen.chosen;
  result.report.variant = entry.info.name;
  const auto arcs = device::gpu_arcs_of(g);
  solver.expect_room(entry.info, device::sizes_of(arcs));
  drivers::gpu_cuts found;
  {
    const device::solver::device_graph resident = [&] {
      const phase_timer timing{times, "copy"};
      return solver.copy_in(arcs);
    }();
    phase_times of_forest;
    auto forest = solver.spanning_forest(entry.sampler, entry.finish, resident.view(), solve_request{{}, {.observer = options.observer}},
                                         of_forest, true);
    times.add("forest", forest.seconds);
    found = drivers::cuts_on_gpu(solver.on(), &solver.memory(), options.observer, resident.view(), std::move(forest.edges),
                                 std::move(forest.labels), {options.simple, options.vertex_blocks, options.memory}, times);
  }
  const unsigned threads = result.report.threads;
  const std::size_t bridges = found.positions.size();
  result.components = found.components;
  result.two_edge_connected_count = found.components + bridges;
  result.biconnected_count = found.blocks;
  result.repeated_edges = found.repeats;
  result.positions = std::move(found.positions);
  result.smaller_sides = widened<std::uint64_t>(found.smaller_sides, threads, options.memory);
  result.articulation_points = widened<std::uint64_t>(found.points, threads, options.memory);
  result.two_edge_connected = labelling{std::move(found.labels), names};
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (sizeof(typename View::id_type) == sizeof(id)) {
          buffer<edge<id>> edges{bridges, options.memory};
          parallel_blocks(threads, bridges, std::size_t{1} << 12, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) edges[i] = edge_at(view, result.positions[i]);
          });
          result.edges = graph{coo<id>{view.vertices(), std::move(edges)}, names};
        }
      },
      g);
  if (!options.vertex_blocks) return;
  const backend::threads loops{threads, options.observer};
  const auto tops = drivers::ascending<id>(
      loops, found.order.size(), [&found](std::size_t p) { return found.block_of[p] == p && found.parents[p] != p; }, options.memory);
  const auto named = drivers::name_blocks<backend::threads, id>(
      loops, found.order.span(), tops.span(), [&found](std::size_t p) { return found.parents[p]; },
      [&found](std::size_t p) { return found.block_of[p]; }, options.memory);
  result.biconnected = block_sets{loops, named, {}, true, options.memory}.make();
}

}  // namespace copse::api
