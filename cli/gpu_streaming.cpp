#include "gpu_streaming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/gpu_edge_sink.hpp>
#include <utility>

#include "output.hpp"
#include "room.hpp"

namespace copse::cli {
namespace {

gpu_edge_sink_options sink_options(const solver_options& options, const solve_options& settings) {
  gpu_edge_sink_options how{.memory_limit_bytes = options.hybrid.gpu_memory_bytes.value_or(UINT64_MAX),
                            .threads = settings.threads,
                            .observer = settings.observer,
                            .memory = settings.memory};
  how.gpus = options.gpus.empty() ? std::vector<unsigned>{*settings.gpu} : options.gpus;
  return how;
}

}  // namespace

std::string too_large_for_gpu(const input& graph, const solver_options& options) {
  constexpr std::uint64_t any_gpu_has = std::uint64_t{1} << 30;  // to ask how much is free wakes all GPUs
  if (!options.hybrid.gpu_memory_bytes && !bytes_of_list_above(graph, any_gpu_has)) return {};
  const auto all = gpus();
  const auto gpu = std::find_if(all.begin(), all.end(), [&](const gpu_facts& each) { return each.index == options.gpu.value_or(0); });
  if (gpu == all.end()) return {};
  const std::uint64_t room = std::min(gpu->free_bytes, options.hybrid.gpu_memory_bytes.value_or(UINT64_MAX));
  const auto bytes = bytes_of_list_above(graph, room);
  if (!bytes) return {};
  return fmt::format("cuda:{}: found {} free, expected {} and more for a list of edges", gpu->index, bytes_text(room), bytes_text(*bytes));
}

void solve_streaming(solution& solved, const input& graph, const solver_options& options, const solve_options& settings,
                     const std::string& why) {
  const gpu_edge_sink_options how = sink_options(options, settings);
  if (!solved.held && (graph.generated() || !graph.read_once().empty())) {
    const stopwatch reading;
    solved.held = graph.read();
    solved.read_seconds = reading.seconds();
  }
  solved.copy_seconds = 0;
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    if (solved.held) {
      solved.result = components_through_gpus(*solved.held, how);
    } else {
      auto found = components_of_files_through_gpus(graph.paths(), trial == 0 ? graph.read_options() : graph.uncounted_options(), how);
      solved.edges = found.edges;
      solved.arcs = found.arcs;
      solved.result = std::move(found);
    }
    const solve_report& report = solved.result.report;
    solved.solve_seconds.push_back(report.solve_seconds);
    solved.copy_seconds += report.copy_seconds;
    solved.read_seconds += report.read_seconds;
  }
  if (solved.held) solved.count_held(settings.threads);
  solved.result.report.explanation = fmt::format("{}: the edges are streamed through {} in pieces, united as they come", why,
                                                 how.gpus.size() == 1 ? "the GPU" : fmt::format("{} GPUs", how.gpus.size()));
}

}  // namespace copse::cli
