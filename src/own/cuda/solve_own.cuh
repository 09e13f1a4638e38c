// Our own path on a GPU, free of the table: six kernels, each launched while the one before runs; the host waits for none. Labels are
// canonical: links go from larger to smaller, so roots are smallest vertices. Loads may be old (parents/device.cuh says why that is right
// for these rules).
#pragma once
#include <backend/cuda/after.cuh>
#include <backend/cuda/gpu_stopwatch.hpp>
#include <backend/cuda/visit.cuh>
#include <backend/links.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/solve_options.hpp>
#include <copse/rules/find/halve.hpp>
#include <copse/rules/unite/async.hpp>
#include <own/cuda/finish_outside.cuh>
#include <own/cuda/first_hook.cuh>
#include <own/cuda/flatten.cuh>
#include <own/cuda/gathered.cuh>
#include <own/cuda/labels.cuh>
#include <own/cuda/second_hook.cuh>
#include <own/cuda/solve_own.hpp>
#include <own/cuda/trees.cuh>
#include <own/cuda/vote.cuh>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::own {

using gpu_unite = unite::async<patient<long_path>>;  // where a giant is
using unsampled_unite = unite::async<find::halve>;   // where none is

/// Counters and the giant's label, cleared together.
template <class Id>
struct gpu_counters {
  unsigned roots, near_tiles, outside, parts;
  Id giant;
};

/// A step for visit: the arc that the first hook took is done.
template <class P, class Recorder>
struct unite_unless_parent {
  P p;
  Recorder made;
  using id = typename P::id;
  __device__ id operator()(id v, id u, id target) const {
    return target == p.load(u) ? u : backend::unite_and_note<unsampled_unite>(p, u, target, made, {v, target});
  }
};
struct no_label {
  template <class Id>
  __device__ Id operator()(Id v) const {
    return v;
  }
};

/// Launches the first hook for the width of the offsets.
template <gathers What, class Id, class Recorder>
void launch_first_hook(const backend::cuda& loops, const backend::any_rows<Id>& rows, gpu_trees<Id> p, gathered<Id> roots,
                       unsigned* near_tiles, Recorder made) {
  const unsigned blocks = loops.places(first_hook_blocks);
  const auto launch = [&](const auto* offsets) {
    first_hook<What>
        <<<blocks, backend::threads_a_block, 0, loops.stream()>>>(offsets, rows.targets, rows.vertices(), p, roots, near_tiles, made);
  };
  if (rows.offsets.width_bytes() == 8) {
    launch(static_cast<const std::uint64_t*>(rows.offsets.data()));
  } else {
    launch(static_cast<const std::uint32_t*>(rows.offsets.data()));
  }
}

/// What both routes need beside the parents.
template <class Id>
struct gpu_scratch {
  explicit gpu_scratch(const backend::cuda& loops, Id vertices, std::size_t most_parts)
      : counters{1, loops.memory()}, list{vertices, loops.memory()}, part_list{most_parts, loops.memory()} {
    loops.clear(counters.data(), sizeof(gpu_counters<Id>));
  }
  gpu_counters<Id>* count() { return counters.data(); }
  gathered<Id> roots() { return {list.data(), &count()->roots}; }
  gathered<Id> outside() { return {list.data(), &count()->outside}; }  // takes the place of the roots, when those are done
  gathered<row_part<Id>> parts() { return {part_list.data(), &count()->parts}; }

  buffer<gpu_counters<Id>> counters;
  buffer<Id> list;
  buffer<row_part<Id>> part_list;
};

/// What a solve by our own path is told beside the graph.
template <class Recorder>
struct own_task {
  const solve_options& options;
  gpu_ideas ideas;
  Recorder made;            ///< of links
  bool labels;              ///< are they wanted?
  backend::gpu_laps* laps;  ///< null where nobody wants to know
  bool laps_of_kernels;     ///< are they told of each kernel, or of all until the last link, and all after?

  void kernel(const backend::cuda& loops, std::string_view name) const {
    loops.launched();
    if (laps != nullptr && laps_of_kernels) laps->lap(name);
  }
  void phase(std::string_view name) const {
    if (laps != nullptr && !laps_of_kernels) laps->lap(name);
  }
};

/// Where few vertices are roots after a sample: unite the arcs to all smaller neighbours but the first, which the first hook took.
template <class Id, class Recorder>
void solve_unsampled_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, gpu_trees<Id> p, unsigned blocks,
                            const own_task<Recorder>& task) {
  constexpr unsigned threads = backend::threads_a_block;
  using trees = gpu_trees<Id>;
  gpu_scratch<Id> scratch{loops, graph.vertices, 0};
  launch_first_hook<gathers::tops_only>(loops, graph.rows, p, scratch.roots(), &scratch.count()->near_tiles, task.made);
  task.kernel(loops, "first hook");
  launch_after(loops, loops.places(), threads, flatten_tops<trees>, p, scratch.roots(), &scratch.count()->near_tiles);
  task.kernel(loops, "flatten tops");
  backend::visit(loops, graph, no_label{}, unite_unless_parent<trees, Recorder>{p, task.made});
  if (task.laps != nullptr && task.laps_of_kernels) task.laps->lap("unite");
  task.phase("join");
  if (!task.labels) return;
  flatten<<<blocks, threads, 0, loops.stream()>>>(p, graph.vertices);
  task.kernel(loops, "flatten");
  task.phase("labels");
}

/// Precondition: both directions of every edge.
template <class Id, class Recorder>
void solve_sampled_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, gpu_trees<Id> p, unsigned blocks,
                          const own_task<Recorder>& task) {
  constexpr unsigned threads = backend::threads_a_block;
  using trees = gpu_trees<Id>;
  // A very long row has at most one part that is not full.
  gpu_scratch<Id> scratch{loops, graph.vertices, static_cast<std::size_t>(2 * (graph.rows.arcs / warp_arcs))};
  Id* const giant = &scratch.count()->giant;
  unsigned* const near_tiles = &scratch.count()->near_tiles;
  launch_first_hook<gathers::roots>(loops, graph.rows, p, scratch.roots(), near_tiles, task.made);
  task.kernel(loops, "first hook");
  launch_after(loops, loops.places(), threads, second_hook<gpu_unite, trees, Recorder>, graph.rows, p, scratch.roots(), task.made);
  task.kernel(loops, "second hook");
  launch_after(loops, loops.places() / 4 + 1, voters, vote_and_flatten_tops<trees>, graph.rows, p, random_stream{task.options.seed, 0},
               task.ideas.least_coverage, giant, scratch.roots(), near_tiles);
  task.kernel(loops, "vote");
  launch_after(loops, blocks, threads, finish_outside<gpu_unite, trees, Recorder>, graph.rows, p, giant, scratch.outside(), scratch.parts(),
               task.made);
  task.kernel(loops, "finish");
  if (!scratch.part_list.empty()) {
    launch_after(loops, loops.places(), threads, finish_parts<gpu_unite, trees, Recorder>, graph.rows, p, giant, scratch.parts(),
                 task.made);
    task.kernel(loops, "long rows");
  }
  task.phase("join");
  if (!task.labels) return;
  launch_after(loops, loops.places(), threads, label_outside<trees>, p, graph.vertices, giant, scratch.outside());
  task.kernel(loops, "labels");
  task.phase("labels");
}

/// Precondition: there are vertices.
template <class Id, class Recorder>
void solve_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, gpu_trees<Id> p, bool sampled,
                  const own_task<Recorder>& task) {
  loops.before_launch();
  const unsigned blocks = loops.blocks_in_order((std::size_t{graph.vertices} + near_turns::chunk - 1) / near_turns::chunk);
  if (sampled) {
    solve_sampled_on_gpu(loops, graph, p, blocks, task);
  } else {
    solve_unsampled_on_gpu(loops, graph, p, blocks, task);
  }
}

template <class Id>
buffer<Id> solve_own_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, bool sampled, const solve_options& options,
                            const gpu_ideas& ideas, backend::gpu_laps* laps) {
  buffer<Id> words{graph.vertices, loops.memory()};
  if (words.empty()) return words;
  solve_on_gpu(loops, graph, gpu_trees<Id>{words.data()}, sampled, own_task<backend::no_recorder>{options, ideas, {}, true, laps, true});
  return words;
}

}  // namespace copse::own
