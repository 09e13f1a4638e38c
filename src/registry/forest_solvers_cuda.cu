// The rows of spanning forests on a GPU but for their unites: the samplers, and the driver.
#include <registry/forest_recorders_cuda.cuh>
//
#include <backend/cuda/gpu_stopwatch.hpp>
#include <drivers/span.hpp>
#include <registry/cuda_parts.hpp>

namespace copse::registry {

cuda_solver::spanned cuda_solver::span(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_options& options,
                                       phase_times& times, bool with_labels) {
  using loops_of_gpu = backend::recording_cuda;
  using id = std::uint32_t;
  static constexpr auto samplings = samplings_of<loops_of_gpu, id>(samplers{});
  const drivers::plan<loops_of_gpu, id> plan{samplings[sampler], sampler_entries[sampler].skips_giant,
                                             sampler_entries[sampler].regroups_edges, cuda_recorder_of(finish),
                                             finish_entries[finish].traits};
  solve_options here = options;
  here.memory = &parts_->memory;
  const loops_of_gpu loops{parts_->on, here.memory, here.observer, parts_->most_blocks, parts_->rows};
  phase_times by_host;  // who starts kernels and goes on
  const backend::gpu_stopwatch whole{parts_->on};
  backend::gpu_laps laps{parts_->on};
  drivers::spanning<loops_of_gpu, id> forest{loops, on_device, plan, here, by_host};
  forest.join();
  laps.lap("join");
  spanned made{forest.collect(), {}, 0, 0};
  laps.lap("collect");
  if (with_labels) {
    made.labels = forest.labels();
    laps.lap("labels");
  }
  made.seconds = whole.seconds();
  made.launches = loops.launches();
  laps.add_to(times);
  return made;
}

}  // namespace copse::registry
