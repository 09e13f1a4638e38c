// Algorithm 3 of Banerjee and Kothapalli, Hybrid algorithms for list ranking and graph connected components (HiPC 2011): the first vertices
// are solved by the cores while the GPU solves the rest, one host thread driving each; then their cross edges are contracted and solved on
// the GPU. Rows that have to be copied are copied by all cores before they begin with their own: some copying while the others solve
// would be two teams of threads, of which one would be started anew in each solve. Canonical because both parts are, every vertex below the
// cut is smaller than all others, and roots are linked under smaller ones.
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

/// What the sides of a solve do. Calls are made on the calling thread, whose team of threads is warm, but for solve when there are two
/// sides.
///   load(times)      gives the rest its rows
///   cpu_part()       labels of the vertices below the cut, in host memory; not called when there are none
///   spare(times)     what else there is to do while the device is at work, for cores that have solved their part
///   solve(arcs)      canonical labels of rest.inside(), in the device's memory; not called for no vertices
template <class Load, class CpuPart, class Spare, class Solve>
struct both_sides {
  Load load;
  CpuPart cpu_part;
  Spare spare;
  Solve solve;
};
template <class Load, class CpuPart, class Spare, class Solve>
both_sides(Load, CpuPart, Spare, Solve) -> both_sides<Load, CpuPart, Spare, Solve>;

/// Labels of the whole graph, of which `cut` vertices are the CPU's, in the memory of the device behind `rest`.
template <class Rest, class Load, class CpuPart, class Spare, class Solve>
buffer<std::uint32_t> solve_on_both(Rest& rest, std::uint32_t cut, const both_sides<Load, CpuPart, Spare, Solve>& sides, cross_rule rule,
                                    hybrid_report& told, phase_times& times) {
  using clock = std::chrono::steady_clock;
  const auto seconds_since = [](clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); };
  phase_times on_device;  // of another thread
  const auto start = clock::now();
  const auto cpu_side = [&] {
    std::span<const std::uint32_t> labels;
    {
      const phase_timer time{times, "cpu part"};
      labels = sides.cpu_part();
    }
    {
      const phase_timer time{times, "copy labels in"};
      rest.give(labels);
    }
    sides.spare(times);
    told.cpu_seconds = seconds_since(start);
  };
  const auto device_side = [&] {
    const auto inside = [&] {
      const phase_timer time{on_device, "split"};
      return rest.inside();
    }();
    {
      const phase_timer time{on_device, "gpu part"};
      if (inside.vertices != 0) rest.take(sides.solve(inside));
    }
    told.gpu_seconds = seconds_since(start);
  };
  told.cpu_seconds = told.gpu_seconds = 0;
  sides.load(times);
  rest.split();  // before there is a thread to drive the device
  if (cut == 0) {
    device_side();
  } else {
    on_workers(2, [&](unsigned worker) { worker == 0 ? cpu_side() : device_side(); });
  }
  for (const phase& p : on_device.all()) times.add(p.name, p.seconds);
  const auto joining = clock::now();
  auto labels = rest.join(rule, told, times);
  told.cross_seconds = seconds_since(joining);
  return labels;
}

}  // namespace copse::drivers::hybrid
