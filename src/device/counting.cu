// Variants of cuda that count their work: those whose name has a unite rule and its find rule, without a sampler or after one that samples
// arcs.
#include <device/counted.hpp>
#include <device/parts.hpp>
#include <drivers/components.hpp>
#include <gpu/loops/counting.cuh>
#include <gpu/runtime/gpu_events.hpp>
#include <variants/functions.hpp>

#include <mutex>

namespace copse::device {
namespace {

using id = std::uint32_t;
using gpu_loops = backend::counting_cuda;

}  // namespace

solver::device_labels solver::count(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                    phase_times& times, work_counts& work) {
  static std::mutex one_at_a_time;  // the counters are global to the process
  const std::lock_guard lock{one_at_a_time};
  static constexpr auto samplings = variant::samplings_of<gpu_loops, id>(counted_samplers{});
  static constexpr auto functions = variant::finish_functions_of<gpu_loops, id>(counted_finishes{});
  const drivers::plan<gpu_loops, id> plan{samplings[sampler], variant::sampler_entries[sampler].skips_giant,
                                          variant::sampler_entries[sampler].regroups_edges, functions[finish],
                                          variant::finish_entries[finish].traits};
  solve_request local = options;
  local.memory = &parts_->memory;
  const gpu_loops loops{parts_->on, local.memory, local.observer, parts_->most_blocks, parts_->techniques};
  const backend::gpu_stopwatch whole{parts_->on};
  buffer<id> labels{on_device.vertices, &parts_->memory};
  drivers::solve(loops, on_device, labels.span(), plan, local, times, &work);
  return {std::move(labels), whole.seconds(), loops.launches()};
}

}  // namespace copse::device
