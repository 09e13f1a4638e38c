// The kernels of our own path that note their links.
#include <backend/cuda/links.cuh>
#include <own/cuda/solve_own.cuh>
#include <own/cuda/span_own.hpp>

#include <utility>

namespace copse::own {

own_forest span_own_on_gpu(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                           const solve_options& options, bool with_labels, backend::gpu_laps& laps, bool time_phases) {
  const std::size_t n = graph.vertices;
  own_forest made{buffer<edge<std::uint32_t>>{n, loops.memory()}, buffer<std::uint32_t>{n, loops.memory()}};
  if (n != 0) {
    const gpu_ideas ideas;
    auto space = workspace_on_gpu(loops, graph, sampled, false, ideas);
    laps.lap("allocate");
    loops.before_launch();
    const own_task<backend::slot_recorder> task{options, ideas, backend::slot_recorder{made.edges.data()}, with_labels, &laps, time_phases};
    solve_by_kernels(loops, graph, made.labels.data(), space, task);
  }
  made.edges = backend::collect_slots(loops, gpu_trees<std::uint32_t>{made.labels.data()}, n, std::move(made.edges));
  laps.lap("collect");
  if (!with_labels) made.labels = {};
  return made;
}

}  // namespace copse::own
