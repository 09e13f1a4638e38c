// The rows of spanning forests on a GPU but for their unites: the samplers, and the driver.
#include <registry/forest_recorders_cuda.cuh>
//
#include <backend/cuda/gpu_stopwatch.hpp>
#include <drivers/span.hpp>
#include <own/cuda/span_own.hpp>
#include <registry/cuda_parts.hpp>

#include <utility>

namespace copse::registry {

cuda_solver::spanned cuda_solver::span(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_options& options,
                                       phase_times& times, bool with_labels) {
  using loops_of_gpu = backend::recording_cuda;
  using id = std::uint32_t;
  solve_options here = options;
  here.memory = &parts_->memory;
  const loops_of_gpu loops{parts_->on, here.memory, here.observer, parts_->most_blocks, parts_->techniques};
  const backend::gpu_stopwatch whole{parts_->on};
  backend::gpu_laps laps{parts_->on};
  spanned made{};
  const auto told = [&] {
    made.seconds = whole.seconds();
    made.launches = loops.launches();
    laps.add_to(times);
  };
  if (finish_entries[finish].traits.own_path) {
    auto found = own::span_own_on_gpu(loops, on_device, sampler_entries[sampler].skips_giant, here, with_labels, laps, parts_->time_phases);
    made.edges = std::move(found.edges);
    made.labels = std::move(found.labels);
    told();
    return made;
  }
  static constexpr auto samplings = samplings_of<loops_of_gpu, id>(samplers{});
  const drivers::plan<loops_of_gpu, id> plan{
      samplings[sampler],       sampler_entries[sampler].skips_giant, sampler_entries[sampler].regroups_edges,
      cuda_recorder_of(finish), finish_entries[finish].traits,        finish < unite_count};
  phase_times by_host;  // who starts kernels and goes on
  drivers::spanning<loops_of_gpu, id> forest{loops, on_device, plan, here, by_host};
  laps.lap("allocate");
  forest.join();
  laps.lap("join");
  made.edges = forest.collect();
  laps.lap("collect");
  if (with_labels) {
    made.labels = forest.labels();
    laps.lap("labels");
  }
  told();
  return made;
}

}  // namespace copse::registry
