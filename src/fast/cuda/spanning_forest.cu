// The kernels of the fast path that record their links.
#include <fast/cuda/solve.cuh>
#include <fast/cuda/spanning_forest.hpp>
#include <gpu/loops/links.cuh>

#include <utility>

namespace copse::fast {

fast_forest spanning_forest_on_gpu(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                                   const solve_options& options, bool with_labels, backend::gpu_laps& laps, bool time_phases) {
  const std::size_t n = graph.vertices;
  fast_forest result{buffer<edge<std::uint32_t>>{n, loops.memory()}, buffer<std::uint32_t>{n, loops.memory()}};
  if (n != 0) {
    const gpu_settings settings;
    auto space = workspace_on_gpu(loops, graph, sampled, false, settings);
    laps.lap("allocate");
    loops.before_launch();
    const fast_task<backend::slot_recorder> task{options,     settings, backend::slot_recorder{result.edges.data()},
                                                 with_labels, &laps,    time_phases};
    solve_by_kernels(loops, graph, result.labels.data(), space, task);
  }
  result.edges = backend::collect_slots(loops, gpu_trees<std::uint32_t>{result.labels.data()}, n, std::move(result.edges));
  laps.lap("collect");
  if (!with_labels) result.labels = {};
  return result;
}

}  // namespace copse::fast
