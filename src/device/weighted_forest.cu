// Minimum and maximum spanning forests of rows in the memory of a GPU.
#include <copse/errors.hpp>
#include <device/parts.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu_stopwatch.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <weighted/cuda/keys.hpp>
#include <weighted/cuda/search.hpp>

#include <span>
#include <variant>

namespace copse::device {

solver::device_weighted_forest solver::weighted_forest(const graph& on_device, const weights_view& weights, forest_goal goal,
                                                       observer* watcher, phase_times& times) {
  backend::cuda loops{parts_->on, &parts_->memory, watcher, parts_->most_blocks, parts_->techniques};
  const backend::gpu_stopwatch whole{parts_->on};
  backend::gpu_laps laps{parts_->on};
  loops.tell(laps);
  device_weighted_forest result{};
  const auto keys = weighted::keys_on_gpu(loops, weights, goal);
  loops.lap("keys");
  result.arcs = weighted::search_on_gpu(loops, {on_device.rows, keys.data()});
  result.seconds = whole.seconds();
  result.launches = loops.launches();
  laps.add_to(times);
  return result;
}

solver::host_weighted_forest solver::weighted_forest_of_host(const graph& in_host_memory, const weights_view& weights, forest_goal goal,
                                                             observer* watcher, phase_times& times, std::pmr::memory_resource* memory) {
  const device_graph rows = copy_in(in_host_memory);
  return std::visit(
      [&]<class Weight>(std::span<const Weight> column) {
        buffer<Weight> copy{column.size(), &parts_->memory};
        backend::copy_in(parts_->on, copy.data(), column.data(), column.size_bytes(), "copying weights", parts_->copies);
        const auto found = weighted_forest(rows.view(), std::span<const Weight>{copy.data(), copy.size()}, goal, watcher, times);
        return host_weighted_forest{copy_out(found.arcs, memory), found.seconds};
      },
      weights);
}

}  // namespace copse::device
