#include "device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace copse::cli {
namespace {

std::string seconds_text(double seconds) { return seconds < 0.0005 ? "less than 0.001 s" : fmt::format("about {:.3f} s", seconds); }

std::string cpu_text(const device_question& asked, double seconds) {
  return fmt::format("{} on the CPU with {} thread{}", seconds_text(seconds), asked.threads, asked.threads == 1 ? "" : "s");
}

/// As copse components goes: in the memory of the GPU if it fits, otherwise streamed.
way way_on(gpu_facts gpu, const device_question& asked, const machine_rates& rates) {
  gpu.free_bytes = std::min(gpu.free_bytes, asked.gpu_memory_bytes);
  way held = held_on_gpu(gpu, asked.graph, rates);
  return held.fits ? held : streamed_through(gpu, asked.graph, rates);
}

}  // namespace

device_choice choose_device(const device_question& asked, const machine_rates& measured, std::span<const gpu_facts> all) {
  machine_rates rates = measured;
  rates.parse_seconds_per_edge = 0;  // copse plan knows it, and it costs both sides the same
  const double cpu_seconds = expected_on_cpu(asked.graph, rates);
  const std::string cpu = cpu_text(asked, cpu_seconds);
  if (all.empty()) return {{}, "no GPU is seen; " + cpu};
  if (cpu_seconds <= quickest_gpu_start_seconds) return {{}, cpu + ", before a GPU would have started"};
  if (asked.graph.vertices > UINT32_MAX) return {{}, cpu + "; 64-bit ids do not run on a GPU"};
  std::optional<way> best;
  device_choice chosen;
  for (const gpu_facts& gpu : all) {
    const way found = way_on(gpu, asked, rates);
    if (!found.fits || (best && *best->seconds <= *found.seconds)) continue;
    best = found;
    chosen.gpu = gpu.index;
    chosen.way = found.name;
  }
  if (!best) return {{}, fmt::format("{}; no GPU has the memory for it, not even streamed", cpu)};
  chosen.reason = fmt::format("{}; {} on {} ({}): {:.3f} s to start, {:.3f} s for copies", cpu, seconds_text(*best->seconds), best->device,
                              best->remark, rates.gpu_start_seconds, copy_seconds(asked.graph, rates));
  if (*best->seconds >= cpu_seconds) {
    chosen.gpu.reset();
    chosen.way.clear();
  }
  return chosen;
}

}  // namespace copse::cli
