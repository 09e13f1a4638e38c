// The variants of cuda: their samplers and the driver. Their finishes are compiled elsewhere.
#include <device/parts.hpp>
#include <drivers/components.hpp>
#include <fast/cuda/solve.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <variants/added_code.hpp>
#include <variants/cuda_finishes.cuh>
#include <variants/functions.hpp>

#include <array>
#include <optional>

namespace copse::device {
namespace {

using id = std::uint32_t;
using gpu_loops = backend::cuda;

/// Returns the plan of a variant that is not the fast path.
drivers::plan<gpu_loops, id> plan_of(std::size_t sampler, std::size_t finish) {
  variant::cuda_finish function = nullptr;
  if (finish < variant::finish_entries.size()) {
    function =
        finish < variant::unite_count ? variant::cuda_unite_function(finish) : variant::cuda_rounds_function(finish - variant::unite_count);
  }
  return variant::plan_of<gpu_loops, id>(sampler, finish, function);
}

}  // namespace

solver::device_labels solver::solve(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                    phase_times& times) {
  const backend::gpu_stopwatch whole{parts_->on};
  if (variant::finish_at(finish).traits.fast_path) {
    buffer<id> labels{on_device.vertices, &parts_->memory};
    auto space = workspace_for(on_device, variant::sampler_at(sampler).skips_giant, false);
    const auto [seconds, launches] = solve_fast(on_device, space, labels.data(), options, times, whole);
    return {std::move(labels), seconds, launches};
  }
  solve_request local = options;
  local.memory = &parts_->memory;
  gpu_loops loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  backend::gpu_laps laps{parts_->on};
  loops.tell(laps);
  buffer<id> labels{on_device.vertices, &parts_->memory};
  drivers::solve(loops, on_device, labels.span(), plan_of(sampler, finish), local, times);
  const double seconds = whole.seconds();
  laps.add_to(times);
  return {std::move(labels), seconds, loops.launches()};
}

unsigned solver::enqueue(std::size_t sampler, std::size_t finish, const graph& on_device, std::span<id> labels,
                         const solve_request& options) {
  const gpu_loops loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  if (variant::finish_at(finish).traits.fast_path) {
    auto space = workspace_for(on_device, variant::sampler_at(sampler).skips_giant, false);
    fast::solve_fast_on_gpu(loops, on_device, labels.data(), space, options, parts_->settings);
  } else {
    solve_request local = options;
    local.memory = &parts_->memory;
    phase_times by_host;
    drivers::solve(loops, on_device, labels, plan_of(sampler, finish), local, by_host);
  }
  return loops.launches();
}

solver::timing solver::solve_into(std::size_t sampler, std::size_t finish, const graph& on_device, std::span<id> labels,
                                  const solve_request& options) {
  const backend::gpu_stopwatch whole{parts_->on};
  const unsigned launches = enqueue(sampler, finish, on_device, labels, options);
  return {whole.seconds(), launches};
}

solver::workspace solver::workspace_for(const graph& like, bool sampled, bool again) {
  const gpu_loops loops{parts_->on, &parts_->memory, nullptr, parts_->most_blocks, parts_->techniques};
  return fast::workspace_on_gpu(loops, like, sampled, again, parts_->settings);
}

void solver::enqueue_fast(const graph& on_device, workspace& space, id* labels, const solve_request& options) {
  const gpu_loops loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  fast::solve_fast_on_gpu(loops, on_device, labels, space, options, parts_->settings);
}

solver::timing solver::solve_fast(const graph& on_device, workspace& space, id* labels, const solve_request& options, phase_times& times) {
  return solve_fast(on_device, space, labels, options, times, backend::gpu_stopwatch{parts_->on});
}

solver::timing solver::solve_fast(const graph& on_device, workspace& space, id* labels, const solve_request& options, phase_times& times,
                                  const backend::gpu_stopwatch& since) {
  const gpu_loops loops{parts_->on, &parts_->memory, options.observer, parts_->most_blocks, parts_->techniques};
  std::optional<backend::gpu_laps> laps;
  if (parts_->time_phases) laps.emplace(parts_->on);
  fast::solve_fast_on_gpu(loops, on_device, labels, space, options, parts_->settings, laps ? &*laps : nullptr);
  const double seconds = since.seconds();
  if (laps) laps->add_to(times);
  return {seconds, loops.launches()};
}

}  // namespace copse::device
