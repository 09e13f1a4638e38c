// The rows of the backend cuda but for their finishes: the samplers, and the driver.
#include <registry/settlers_cuda.cuh>
//
#include <backend/cuda/gpu_stopwatch.hpp>
#include <drivers/solve.hpp>
#include <own/cuda/solve_own.hpp>
#include <registry/cuda_parts.hpp>

#include <array>
#include <optional>

namespace copse::registry {
namespace {

using id = std::uint32_t;
using gpu_loops = backend::cuda;

template <class... Samplers>
constexpr std::array<drivers::sampling<gpu_loops, id>, sizeof...(Samplers)> samplings_of(type_list<Samplers...>) {
  return {Samplers::template sample<gpu_loops, id>...};
}

}  // namespace

cuda_solver::solved cuda_solver::solve(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_options& options,
                                       phase_times& times) {
  static constexpr auto samplings = samplings_of(samplers{});
  const auto settler = finish < unite_count ? cuda_settler_of_unite(finish) : cuda_settler_of_rounds(finish - unite_count);
  const drivers::plan<gpu_loops, id> plan{samplings[sampler],
                                          sampler_entries[sampler].skips_giant,
                                          sampler_entries[sampler].regroups_edges,
                                          settler,
                                          finish_entries[finish].traits,
                                          finish < unite_count};
  const backend::gpu_stopwatch whole{parts_->on};
  if (finish_entries[finish].traits.own_path) {
    buffer<id> labels{on_device.vertices, &parts_->memory};
    auto space = workspace_for(on_device, sampler_entries[sampler].skips_giant, false);
    const auto [seconds, launches] = solve_own(on_device, space, labels.data(), options, times, whole);
    return {std::move(labels), seconds, launches};
  }
  solve_options here = options;
  here.memory = &parts_->memory;
  gpu_loops loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  backend::gpu_laps laps{parts_->on};
  loops.tell(laps);
  auto labels = drivers::solve(loops, on_device, plan, here, times);
  const double seconds = whole.seconds();
  laps.add_to(times);
  return {std::move(labels), seconds, loops.launches()};
}

cuda_solver::workspace cuda_solver::workspace_for(const graph& like, bool sampled, bool again) {
  const gpu_loops loops{parts_->on, &parts_->memory, nullptr, parts_->most_blocks, parts_->techniques};
  return own::workspace_on_gpu(loops, like, sampled, again, parts_->ideas);
}

cuda_solver::timing cuda_solver::solve_own(const graph& on_device, workspace& space, id* labels, const solve_options& options,
                                           phase_times& times) {
  return solve_own(on_device, space, labels, options, times, backend::gpu_stopwatch{parts_->on});
}

cuda_solver::timing cuda_solver::solve_own(const graph& on_device, workspace& space, id* labels, const solve_options& options,
                                           phase_times& times, const backend::gpu_stopwatch& since) {
  const gpu_loops loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  std::optional<backend::gpu_laps> laps;
  if (parts_->time_phases) laps.emplace(parts_->on);
  own::solve_own_on_gpu(loops, on_device, labels, space, options, parts_->ideas, laps ? &*laps : nullptr);
  const double seconds = since.seconds();
  if (laps) laps->add_to(times);
  return {seconds, loops.launches()};
}

}  // namespace copse::registry
