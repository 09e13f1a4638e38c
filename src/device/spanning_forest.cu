// The variants of spanning forests on a GPU: their samplers and the driver. Their unites are compiled elsewhere.
#include <device/parts.hpp>
#include <drivers/spanning_forest.hpp>
#include <fast/cuda/solve.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <variants/cuda_forest_finishes.cuh>

#include <utility>

namespace copse::device {

solver::device_forest solver::spanning_forest(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                              phase_times& times, bool with_labels) {
  using loops_of_gpu = backend::recording_cuda;
  using id = std::uint32_t;
  solve_request local = options;
  local.memory = &parts_->memory;
  const loops_of_gpu loops{parts_->on, local.memory, local.observer, parts_->most_blocks, parts_->techniques};
  const backend::gpu_stopwatch whole{parts_->on};
  backend::gpu_laps laps{parts_->on};
  device_forest result{};
  const auto stop_clock = [&] {
    result.seconds = whole.seconds();
    result.launches = loops.launches();
    laps.add_to(times);
  };
  if (variant::finish_entries[finish].traits.fast_path) {
    auto found = fast::spanning_forest_on_gpu(loops, on_device, variant::sampler_entries[sampler].skips_giant, local, with_labels, laps,
                                              parts_->time_phases);
    result.edges = std::move(found.edges);
    result.labels = std::move(found.labels);
    stop_clock();
    return result;
  }
  static constexpr auto samplings = variant::samplings_of<loops_of_gpu, id>(variant::samplers{});
  const drivers::plan<loops_of_gpu, id> plan{samplings[sampler],
                                             variant::sampler_entries[sampler].skips_giant,
                                             variant::sampler_entries[sampler].regroups_edges,
                                             variant::cuda_recorder_of(finish),
                                             variant::finish_entries[finish].traits,
                                             finish < variant::unite_count};
  phase_times by_host;  // not reported: the host only launches kernels, and their times come from `laps`
  buffer<id> words{on_device.vertices, local.memory};
  drivers::forest_driver<loops_of_gpu, id> forest{loops, on_device, plan, words.span(), local, by_host};
  laps.lap("allocate");
  forest.join();
  laps.lap("join");
  result.edges = forest.collect();
  laps.lap("collect");
  if (with_labels) {
    forest.label();
    result.labels = std::move(words);
    laps.lap("labels");
  }
  stop_clock();
  return result;
}

void solver::enqueue_forest(std::size_t sampler, const graph& on_device, edge<std::uint32_t>* edges, std::uint32_t* count,
                            std::span<std::uint32_t> labels, const solve_request& options) {
  const backend::cuda loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  fast::enqueue_spanning_forest(loops, on_device, variant::sampler_entries[sampler].skips_giant, options, edges, count,
                                labels.empty() ? nullptr : labels.data());
}

}  // namespace copse::device
