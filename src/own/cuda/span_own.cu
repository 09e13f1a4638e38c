// The kernels of our own path that note their links.
#include <backend/cuda/links.cuh>
#include <own/cuda/solve_own.cuh>
#include <own/cuda/span_own.hpp>

#include <utility>

namespace copse::own {

own_forest span_own_on_gpu(const backend::cuda& loops, const backend::arc_set<std::uint32_t>& graph, bool sampled,
                           const solve_options& options, bool with_labels, backend::gpu_laps& laps, bool time_phases) {
  own_forest made{buffer<edge<std::uint32_t>>{graph.vertices, loops.memory()}, buffer<std::uint32_t>{graph.vertices, loops.memory()}};
  const gpu_trees<std::uint32_t> p{made.labels.data()};
  if (graph.vertices != 0) {
    const backend::slot_recorder slots{made.edges.data()};
    solve_on_gpu(loops, graph, p, sampled, own_task<backend::slot_recorder>{options, {}, slots, with_labels, &laps, time_phases});
  }
  made.edges = backend::collect_slots(loops, p, graph.vertices, std::move(made.edges));
  laps.lap("collect");
  if (!with_labels) made.labels = {};
  return made;
}

}  // namespace copse::own
