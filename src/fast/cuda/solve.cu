// Compiles the kernels of the fast path on a GPU, with and without recording of links.
#include <fast/cuda/solve.cuh>
#include <gpu/loops/links.cuh>

#include <utility>

namespace copse::fast {

using rows_32 = backend::arc_set<std::uint32_t>;

template gpu_workspace<std::uint32_t> workspace_on_gpu(const backend::cuda&, const rows_32&, bool, bool, const gpu_settings&);
template void solve_fast_on_gpu(const backend::cuda&, const rows_32&, std::uint32_t*, gpu_workspace<std::uint32_t>&, const solve_request&,
                                const gpu_settings&, backend::gpu_laps*);

namespace {

using id = std::uint32_t;

struct count_edges {
  const backend::slot_counts* counts;
  id vertices;
  id* to;
  __device__ void operator()(std::size_t /*i*/) const { *to = vertices - counts->roots; }
};

/// Unites all edges. Stores the links in `slots` and the parents in `words`. `laps` may be null. Precondition: the graph has vertices.
void join(const backend::cuda& loops, const backend::arc_set<id>& graph, bool sampled, const solve_request& options, edge<id>* slots,
          id* words, bool with_labels, backend::gpu_laps* laps, bool time_phases) {
  const gpu_settings settings;
  auto space = workspace_on_gpu(loops, graph, sampled, false, settings);
  if (laps != nullptr) laps->lap("allocate");
  loops.before_launch();
  const fast_task<backend::slot_recorder> task{options, settings, backend::slot_recorder{slots}, with_labels, laps, time_phases};
  solve_by_kernels(loops, graph, words, space, task);
}

}  // namespace

fast_forest spanning_forest_on_gpu(const backend::cuda& loops, const backend::arc_set<id>& graph, bool sampled,
                                   const solve_request& options, bool with_labels, backend::gpu_laps& laps, bool time_phases) {
  const std::size_t n = graph.vertices;
  fast_forest result{buffer<edge<id>>{n, loops.memory()}, buffer<id>{n, loops.memory()}};
  if (n != 0) join(loops, graph, sampled, options, result.edges.data(), result.labels.data(), with_labels, &laps, time_phases);
  result.edges = backend::collect_slots(loops, gpu_trees<id>{result.labels.data()}, n, std::move(result.edges));
  laps.lap("collect");
  if (!with_labels) result.labels = {};
  return result;
}

void enqueue_spanning_forest(const backend::cuda& loops, const backend::arc_set<id>& graph, bool sampled, const solve_request& options,
                             edge<id>* edges, id* count, id* labels) {
  const std::size_t n = graph.vertices;
  if (n == 0) return loops.clear(count, sizeof *count);
  buffer<id> unasked{labels != nullptr ? 0 : n, loops.memory()};
  id* const words = labels != nullptr ? labels : unasked.data();
  join(loops, graph, sampled, options, edges, words, labels != nullptr, nullptr, false);
  buffer<backend::slot_counts> counts{1, loops.memory()};
  backend::compact_slots(loops, gpu_trees<id>{words}, n, edges, counts.data());
  loops.for_each(1, count_edges{counts.data(), graph.vertices, count});
}

}  // namespace copse::fast
