// The fast path on a GPU, independent of the table of variants: five to seven kernels, each launched while the previous one runs, or one
// kernel for small graphs. The host waits for none of them. Labels are canonical: links go from larger to smaller vertices, so roots are
// the smallest vertices of their trees. Loads may be stale (parents/device.cuh says why that is right for these rules).
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

/// A workspace as kernels see it. `roots` and `outside` share one array: it holds the roots first, and once those are done the vertices
/// outside the giant.
template <class Id>
struct gpu_work {
  gpu_work(Id* parents, gpu_workspace<Id>& space)
      : p{parents},
        counters{space.counters()},
        roots{space.list(), &counters->roots},
        outside{space.list(), &counters->outside},
        more{space.second_list(), &counters->more},
        parts{space.parts(), &counters->parts} {}

  gpu_trees<Id> p;
  gpu_counters<Id>* counters;
  device_list<Id> roots, outside, more;
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

template <class Id, class Recorder>
void launch_first_pass(const backend::cuda& loops, const backend::any_rows<Id>& rows, const gpu_work<Id>& work, begins how,
                       std::uint64_t seed, std::uint32_t* marks, Recorder recorder) {
  const unsigned blocks = std::max(loops.places(backend::first_hook_blocks), 2u);
  const sampling sample{seed, !std::is_same_v<Recorder, backend::no_recorder>};
  with_offsets(rows, [&]<class Offset>(const Offset* offsets) {
    using trees = gpu_trees<Id>;
    using backend::plain_load;
    const auto launch = [&](auto* kernel) {
      kernel<<<blocks, backend::threads_a_block, 0, loops.stream()>>>(offsets, rows, work.p, work.roots,
                                                                      {work.more, rows.sorted && rows.symmetric}, random_stream{seed, 0},
                                                                      sample, work.counters, marks, recorder);
    };
    if (how == begins::with_lists) {
      launch(first_pass<begins::with_lists, false, plain_load, Offset, trees, Recorder>);
    } else if (how == begins::by_sample && rows.sorted) {
      launch(first_pass<begins::by_sample, true, plain_load, Offset, trees, Recorder>);
    } else if (how == begins::by_sample) {
      launch(first_pass<begins::by_sample, false, plain_load, Offset, trees, Recorder>);
    } else if (!rows.sorted) {
      launch(first_pass<begins::with_hooks, false, plain_load, Offset, trees, Recorder>);
    } else if (rows.vertices() <= cached_parents && rows.arcs >= arcs_of_long_rows * rows.vertices()) {
      launch(first_pass<begins::with_hooks, true, backend::load_once, Offset, trees, Recorder>);
    } else {
      launch(first_pass<begins::with_hooks, true, plain_load, Offset, trees, Recorder>);
    }
  });
}

/// Solves a graph that is not small, or whose links are recorded. Precondition: there are vertices.
template <class Id, class Recorder>
void solve_by_kernels(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                      const fast_task<Recorder>& task) {
  constexpr unsigned threads = backend::threads_a_block;
  using trees = gpu_trees<Id>;
  const gpu_work<Id> work{parents, space};
  const auto& p = work.p;
  gpu_counters<Id>* const counters = work.counters;
  const random_stream voters{task.options.seed, 0};
  const begins how = space.how();
  const bool may_unite = how != begins::with_hooks;
  loops.clear(counters, sizeof *counters);
  launch_first_pass(loops, graph.rows, work, how, task.options.seed, space.marks(), task.recorder);
  task.kernel(loops, "first hook");
  launch_after(loops, std::max(loops.places(), 2u), threads, second_pass<trees, Recorder>, graph.rows, p, work.roots, voters, counters,
               task.recorder);
  task.kernel(loops, "second hook");
  const unsigned finishing = may_unite ? loops.blocks_for(graph.vertices) : blocks_for(loops, graph.vertices);
  launch_after(loops, finishing, threads, finish_outside<gpu_unite, trees, Recorder>, graph.rows, p, &counters->decided, work.outside,
               work.more, work.parts, voters, &counters->united, space.marks(), task.recorder);
  task.kernel(loops, "finish");
  launch_after(loops, loops.places(rest_blocks), threads, finish_rest<gpu_unite, trees, Recorder>, graph.rows, p, &counters->decided,
               work.outside, work.parts, &counters->joined, task.recorder);
  task.kernel(loops, "rest");
  task.phase("join");
  if (!task.labels) return;
  const std::size_t n = graph.vertices, wanted = may_unite ? n / task.settings.flat_part_vertices : 1;
  const std::size_t parts = std::clamp<std::size_t>(wanted, 1, most_flat_parts);
  const std::size_t part = ((n + parts - 1) / parts + tile_turns::chunk - 1) / tile_turns::chunk * tile_turns::chunk;
  for (std::size_t begin = 0; begin < n; begin += part) {
    const std::size_t end = std::min(n, begin + part);
    const std::size_t per_block = flattens_one_by_one(n, begin, end) ? threads : tile_turns::chunk;
    const unsigned blocks = may_unite ? loops.blocks_in_order((end - begin + per_block - 1) / per_block) : loops.places();
    launch_after(loops, blocks, threads, last_pass<trees>, p, n, begin, end, work.outside, counters);
    task.kernel(loops, "labels");
  }
  task.phase("labels");
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
  const std::uint64_t arcs = graph.rows.arcs, most_parts = arcs / (one_launch ? thread_arcs : tile_row_arcs);
  const begins how = sampled ? beginning_of(n, arcs, graph.rows.sorted) : begins::with_lists;
  gpu_workspace<Id> space{n, static_cast<std::size_t>(most_parts), how, one_launch, loops.memory()};
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
