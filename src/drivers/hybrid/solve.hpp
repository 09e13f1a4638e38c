// Algorithm 3 of Banerjee and Kothapalli, Hybrid algorithms for list ranking and graph connected components (HiPC 2011): the first vertices
// are solved by the cores while the GPU solves the rest, one host thread driving each; then their cross edges are contracted and solved on
// the GPU. Canonical because both parts are, every vertex below the cut is smaller than all others, and roots are linked under smaller
// ones.
#pragma once
#include <copse/core/hybrid.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/phases.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>

namespace copse::drivers::hybrid {

/// How many of the vertices are `share` percent: rounded down, and all or none only where that is what was asked for.
inline std::uint32_t cut_at(std::uint32_t vertices, double share) noexcept {
  if (share >= 100) return vertices;
  const auto cut = static_cast<std::uint32_t>(std::floor(static_cast<double>(vertices) * std::max(0., share) / 100));
  return std::min(cut, vertices);
}

/// How many of the threads copy rows to the device while the others solve the CPU's part. Half of them are as fast as the bus, so that the
/// device's share of that half is enough.
inline unsigned threads_that_copy(unsigned threads, double share) noexcept {
  return std::max(1u, static_cast<unsigned>(std::lround(threads * (100 - std::min(share, 100.)) / 200)));
}

/// Labels of the whole graph, in the memory of the device behind `rest`.
///   cpu_part()       solves the vertices below the cut, into `cpu_labels`; not called when there are none
///   load(times)      gives `rest` its rows
///   solve(arcs)      canonical labels of rest.inside(), in the device's memory; not called for no vertices
/// Both sides' calls run at the same time, cpu_part on the calling thread, whose team of threads is warm.
template <class Rest, class CpuPart, class Load, class Solve>
buffer<std::uint32_t> solve_on_both(Rest& rest, std::span<const std::uint32_t> cpu_labels, CpuPart cpu_part, Load load, Solve solve,
                                    cross_rule rule, hybrid_report& told, phase_times& times) {
  using clock = std::chrono::steady_clock;
  const auto seconds_since = [](clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); };
  phase_times on_device;  // of another thread
  const auto start = clock::now();
  const auto cpu_side = [&] {
    cpu_part();
    told.cpu_seconds = seconds_since(start);
  };
  const auto device_side = [&] {
    load(on_device);
    {
      const phase_timer time{on_device, "split"};
      rest.split();
    }
    const phase_timer time{on_device, "gpu part"};
    if (const auto inside = rest.inside(); inside.vertices != 0) rest.take(solve(inside));
  };
  const auto timed_device_side = [&] {
    device_side();
    told.gpu_seconds = seconds_since(start);
  };
  told.cpu_seconds = told.gpu_seconds = 0;
  if (cpu_labels.empty()) {
    timed_device_side();
  } else {
    on_workers(2, [&](unsigned worker) { worker == 0 ? cpu_side() : timed_device_side(); });
    times.add("cpu part", told.cpu_seconds);
  }
  for (const phase& p : on_device.all()) times.add(p.name, p.seconds);
  const auto joining = clock::now();
  auto labels = rest.join(cpu_labels, rule, told, times);
  told.cross_seconds = seconds_since(joining);
  return labels;
}

}  // namespace copse::drivers::hybrid
