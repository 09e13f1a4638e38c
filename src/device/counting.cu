// Rows of the backend cuda that count what they do: unites that are named with their find, alone or after a sampler of arcs.
// What stands in for the headers of the same names on the host comes before those that call it: see visit() there.
#include <gpu/loops/counting.cuh>
//
#include <device/counted.hpp>
#include <device/parts.hpp>
#include <drivers/components.hpp>
#include <gpu/runtime/gpu_stopwatch.hpp>
#include <variants/validity.hpp>

#include <array>
#include <mutex>

namespace copse::device {
namespace {

using id = std::uint32_t;
using gpu_loops = backend::counting_cuda;

/// Null where the backend refuses it.
template <class Entry>
constexpr backend::finish_function<gpu_loops, id> settler_of() {
  if constexpr (variant::refusal_of(Entry::entry.traits, true).empty()) {
    return Entry::finish_type::template run<gpu_loops, id>;
  } else {
    return nullptr;
  }
}
template <class... Entries>
constexpr std::array<backend::finish_function<gpu_loops, id>, sizeof...(Entries)> finish_functions_of(variant::type_list<Entries...>) {
  return {settler_of<Entries>()...};
}
template <class... Samplers>
constexpr std::array<drivers::sampling<gpu_loops, id>, sizeof...(Samplers)> variant::samplings_of(variant::type_list<Samplers...>) {
  return {Samplers::template sample<gpu_loops, id>...};
}

}  // namespace

solver::solved solver::count(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_options& options,
                             phase_times& times, work_counts& work) {
  static std::mutex one_at_a_time;  // the counters are the process's
  const std::lock_guard lock{one_at_a_time};
  static constexpr auto samplings = variant::samplings_of(counted_samplers{});
  static constexpr auto finishes_by_number = finish_functions_of(counted_finishes{});
  const drivers::plan<gpu_loops, id> plan{samplings[sampler], variant::sampler_entries[sampler].skips_giant,
                                          variant::sampler_entries[sampler].regroups_edges, finishes_by_number[finish],
                                          variant::finish_entries[finish].traits};
  solve_options here = options;
  here.memory = &parts_->memory;
  const gpu_loops loops{parts_->on, here.memory, here.observer, parts_->most_blocks, parts_->techniques};
  const backend::gpu_stopwatch whole{parts_->on};
  auto labels = drivers::solve(loops, on_device, plan, here, times, &work);
  return {std::move(labels), whole.seconds(), loops.launches()};
}

}  // namespace copse::device
