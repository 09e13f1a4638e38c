// The fast path on a GPU, independent of the table of variants: five kernels, each launched while the previous one runs, or one kernel for
// small graphs. The host waits for none of them. Labels are canonical: links go from larger to smaller vertices, so roots are the smallest
// vertices of their trees. Loads may be stale (parents/device.cuh says why that is right for these rules).
#pragma once
#include <copse/memory.hpp>
#include <fast/cuda/finish_outside.cuh>
#include <fast/cuda/flatten.cuh>
#include <fast/cuda/hooks.cuh>
#include <fast/cuda/one_launch.cuh>
#include <fast/cuda/solve.hpp>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/unite_rows.cuh>
#include <fast/cuda/vote.cuh>
#include <fast/cuda/workspace.hpp>
#include <gpu/loops/visit.cuh>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/launch.cuh>
#include <gpu/steps/load_once.cuh>
#include <loops/links.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

namespace copse::fast {

/// The rows that the loop walk_all() walks: those of listed vertices, and if rows store both directions, only the arcs to smaller vertices.
/// Rows are loaded with the hint that they are read once (load_once), which leaves the caches to the parents.
template <class Id, class Step>
struct listed_walk {
  backend::row_steps<Id, backend::load_once> steps;
  device_list<Id> vertices;
  Step step;

  [[nodiscard]] __device__ std::size_t size() const { return *vertices.count; }
  __device__ Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const {
    const Id v = backend::load_once{}(vertices.items + i);
    steps.bounds(v, first, last);
    return v;
  }
  __device__ void along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride) const { steps.along(v, first, last, stride, step); }
};

/// Calls launch(offsets) with the offsets as a pointer to their own width, 32 or 64 bits.
template <class Id, class Launch>
void with_offsets(const backend::any_rows<Id>& rows, Launch launch) {
  if (rows.offsets.width_bytes() == 8) {
    launch(static_cast<const std::uint64_t*>(rows.offsets.data()));
  } else {
    launch(static_cast<const std::uint32_t*>(rows.offsets.data()));
  }
}

/// Returns the number of blocks for n vertices: one block for each chunk of vertices, so that chunks are begun in ascending order.
inline unsigned blocks_for(const backend::cuda& loops, std::size_t n) {
  return loops.blocks_in_order((n + tile_turns::chunk - 1) / tile_turns::chunk);
}

template <class Id, class Recorder>
void launch_first_hook(const backend::cuda& loops, const backend::any_rows<Id>& rows, gpu_trees<Id> p, device_list<Id> tops,
                       more_arcs<Id> more, unsigned* near_tiles, Recorder recorder) {
  with_offsets(rows, [&]<class Offset>(const Offset* offsets) {
    first_hook<<<loops.places(backend::first_hook_blocks), backend::threads_a_block, 0, loops.stream()>>>(
        offsets, rows.targets, rows.vertices(), rows.sorted, p, tops, more, near_tiles, recorder);
  });
}

template <class Id, class Recorder>
void launch_first_hook_and_foresight(const backend::cuda& loops, const backend::any_rows<Id>& rows, gpu_trees<Id> p, device_list<Id> roots,
                                     unsigned* near_tiles, random_stream voters, decision<Id>* decided, std::uint32_t* marks,
                                     Recorder recorder) {
  with_offsets(rows, [&]<class Offset>(const Offset* offsets) {
    const auto launch = [&](auto* kernel) {
      kernel<<<std::max(loops.places(backend::first_hook_blocks), 2u), backend::threads_a_block, 0, loops.stream()>>>(
          offsets, rows, p, roots, near_tiles, voters, decided, marks, recorder);
    };
    if (!rows.sorted) {
      launch(first_hook_and_foresight<false, backend::plain_load, Offset, gpu_trees<Id>, Recorder>);
    } else if (rows.vertices() <= cached_parents && rows.arcs >= arcs_of_long_rows * rows.vertices()) {
      launch(first_hook_and_foresight<true, backend::load_once, Offset, gpu_trees<Id>, Recorder>);
    } else {
      launch(first_hook_and_foresight<true, backend::plain_load, Offset, gpu_trees<Id>, Recorder>);
    }
  });
}

/// Flattens all vertices, part after part. The kernels of later parts may be launched before the previous kernel has ended (launch_after);
/// that of the first part is not, so it may follow any kernel.
template <class P>
void flatten_in_parts(const backend::cuda& loops, P p, std::size_t n, std::size_t part_vertices) {
  const std::size_t parts = std::clamp<std::size_t>(n / part_vertices, 1, most_flat_parts);
  const std::size_t part = ((n + parts - 1) / parts + tile_turns::chunk - 1) / tile_turns::chunk * tile_turns::chunk;
  for (std::size_t begin = 0; begin < n; begin += part) {
    const std::size_t end = std::min(n, begin + part);
    const unsigned blocks = blocks_for(loops, end - begin);
    if (begin == 0) {
      flatten<<<blocks, backend::threads_a_block, 0, loops.stream()>>>(p, begin, end);
    } else {
      loops.launched();  // counts the launch of the previous part; the caller counts that of the last part
      launch_after(loops, blocks, backend::threads_a_block, flatten<P>, p, begin, end);
    }
  }
}

/// A workspace as kernels see it. `roots` and `outside` share one array: it holds the roots first, and once those are done the vertices
/// outside the giant.
template <class Id>
struct gpu_work {
  gpu_work(Id* parents, gpu_workspace<Id>& space)
      : p{parents},
        counters{space.counters()},
        roots{space.list(), &counters->roots},
        outside{space.list(), &counters->outside},
        parts{space.parts(), &counters->parts} {}

  gpu_trees<Id> p;
  gpu_counters<Id>* counters;
  device_list<Id> roots, outside;
  device_list<row_part<Id>> parts;
};

/// The settings of a solve, and where it reports its links and times.
template <class Recorder>
struct fast_task {
  const solve_request& options;
  const gpu_settings& settings;
  Recorder recorder;
  bool labels;              ///< true if labels are wanted
  backend::gpu_laps* laps;  ///< null: no times are taken
  bool laps_of_kernels;     ///< true: each kernel is timed; false: only two phases are, that of all links and that of the labels

  void kernel(const backend::cuda& loops, std::string_view name) const {
    loops.launched();
    if (laps != nullptr && laps_of_kernels) laps->lap(name);
  }
  void phase(std::string_view name) const {
    if (laps != nullptr && !laps_of_kernels) laps->lap(name);
  }
};

/// Solves without sampling for a giant: unites along the arcs to all smaller neighbours but the first, which the first hook took.
template <class Id, class Recorder>
void solve_unsampled_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                            const fast_task<Recorder>& task) {
  constexpr unsigned threads = backend::threads_a_block;
  using trees = gpu_trees<Id>;
  const gpu_work<Id> work{parents, space};
  loops.clear(work.counters, sizeof *work.counters);
  const device_list<Id> more{space.second_list(), &work.counters->more};
  launch_first_hook(loops, graph.rows, work.p, work.roots, {more, graph.rows.sorted && graph.rows.symmetric}, &work.counters->near_tiles,
                    task.recorder);
  task.kernel(loops, "first hook");
  launch_after(loops, loops.places(), threads, flatten_tops<trees>, work.p, work.roots, &work.counters->near_tiles);
  task.kernel(loops, "flatten tops");
  const auto unite = [&]<unsigned Steps>(std::integral_constant<unsigned, Steps>) {
    backend::walk_all<Id>(loops, graph.vertices, graph.rows.arcs,
                          listed_walk<Id, unite_unless_parent<Steps, true, trees, Recorder>>{
                              {graph.rows, graph.rows.symmetric}, more, {work.p, task.recorder}});
  };
  if (static_cast<double>(graph.rows.arcs) < few_arcs * graph.vertices) {
    unite(std::integral_constant<unsigned, more_steps>{});
  } else {
    unite(std::integral_constant<unsigned, few_steps>{});
  }
  if (task.laps != nullptr && task.laps_of_kernels) task.laps->lap("unite");
  task.phase("join");
  if (!task.labels) return;
  flatten_in_parts(loops, work.p, graph.vertices, task.settings.flat_part_vertices);
  task.kernel(loops, "flatten");
  task.phase("labels");
}

/// Solves by sampling for a giant. Precondition: rows store both directions of every edge.
template <class Id, class Recorder>
void solve_sampled_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                          const fast_task<Recorder>& task) {
  constexpr unsigned threads = backend::threads_a_block;
  using trees = gpu_trees<Id>;
  const gpu_work<Id> work{parents, space};
  const auto& p = work.p;
  decisions<Id>* const decided = &work.counters->decided;
  unsigned* const near_tiles = &work.counters->near_tiles;
  const random_stream voters{task.options.seed, 0};
  loops.clear(work.counters, sizeof *work.counters);
  launch_first_hook_and_foresight(loops, graph.rows, p, work.roots, near_tiles, voters, &decided->first, space.marks(), task.recorder);
  task.kernel(loops, "first hook");
  launch_after(loops, std::max(loops.places(), 2u), threads, second_hook<trees, Recorder>, graph.rows, p, work.roots, near_tiles, voters,
               &work.counters->hooked, &work.counters->linked, &decided->first, task.recorder);
  task.kernel(loops, "second hook");
  launch_after(loops, blocks_for(loops, graph.vertices), threads, finish_outside<gpu_unite, trees, Recorder>, graph.rows, p, decided,
               work.outside, work.parts, voters, &work.counters->united, space.marks(), task.recorder);
  task.kernel(loops, "finish");
  launch_after(loops, loops.places(rest_blocks), threads, finish_rest<gpu_unite, trees, Recorder>, graph.rows, p, decided, work.outside,
               work.parts, &work.counters->joined, task.recorder);
  task.kernel(loops, "rest");
  task.phase("join");
  if (!task.labels) return;
  launch_after(loops, loops.places(), threads, label_outside<trees>, p, graph.vertices, decided, work.outside, &work.counters->joined,
               &work.counters->parts);
  task.kernel(loops, "labels");
  task.phase("labels");
}

/// Solves a graph that is not small, or whose links are recorded. Precondition: there are vertices.
template <class Id, class Recorder>
void solve_by_kernels(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                      const fast_task<Recorder>& task) {
  if (space.sampled()) {
    solve_sampled_on_gpu(loops, graph, parents, space, task);
  } else {
    solve_unsampled_on_gpu(loops, graph, parents, space, task);
  }
}

/// Solves a small graph. Precondition: rows store both directions of every edge.
template <class Id>
void solve_in_one_launch(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                         unsigned blocks, const fast_task<backend::no_recorder>& task) {
  const gpu_trees<Id> p{parents};
  with_offsets(graph.rows, [&]<class Offset>(const Offset* offsets) {
    const auto launch = [&](auto... arguments) {
      constexpr auto* kernel = &one_launch<gpu_unite, Offset, gpu_trees<Id>>;
      if (auto* const replay = space.replay()) {
        replay->launch_at_once(loops, blocks, backend::threads_a_block, kernel, arguments...);
      } else {
        launch_at_once(loops, blocks, backend::threads_a_block, kernel, arguments...);
      }
    };
    launch(offsets, graph.rows, p, random_stream{task.options.seed, 0}, space.counters(), space.list(), space.parts());
  });
  task.kernel(loops, "one launch");
}

template <class Id>
gpu_workspace<Id> workspace_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, bool sampled, bool keeps_launch,
                                   const gpu_settings& settings) {
  const std::size_t n = graph.vertices;
  const bool one_launch = sampled && n <= settings.one_launch_vertices && graph.rows.arcs <= settings.one_launch_arcs;
  // A row that is cut has at most one part for every tile_row_arcs of its arcs, or for every thread_arcs if the graph is solved in one
  // launch.
  const std::uint64_t arcs = graph.rows.arcs, most_parts = !sampled ? 0 : arcs / (one_launch ? thread_arcs : tile_row_arcs);
  gpu_workspace<Id> space{n, static_cast<std::size_t>(most_parts), sampled, one_launch, loops.memory()};
  // A solve in one launch expects cleared counters, and leaves them cleared for the next; other solves clear them themselves.
  if (one_launch) loops.clear(space.counters(), sizeof(gpu_counters<Id>));
  if (one_launch && keeps_launch) space.keep_launch_in(std::make_shared<backend::kernel_replay>());
  return space;
}

template <class Id>
void solve_fast_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                       const solve_request& options, const gpu_settings& settings, backend::gpu_laps* laps) {
  const std::size_t n = graph.vertices;
  if (n == 0) return;
  loops.before_launch();
  const fast_task<backend::no_recorder> task{options, settings, {}, true, laps, true};
  if (space.one_launch()) {
    const std::size_t chunks = (n + backend::threads_a_block - 1) / backend::threads_a_block;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(loops.places(one_launch_blocks), chunks));
    solve_in_one_launch(loops, graph, parents, space, blocks, task);
  } else {
    solve_by_kernels(loops, graph, parents, space, task);
  }
}

}  // namespace copse::fast
