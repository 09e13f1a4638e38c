// Algorithm 3 of Banerjee and Kothapalli, Hybrid algorithms for list ranking and graph connected components (HiPC 2011): the first vertices
// are solved by the cores while the GPU solves the rest, one host thread driving each; then what lies between them is joined on the GPU.
// Rows that have to be copied are copied by all cores before they begin with their own: some copying while the others solve
// would be two teams of threads, of which one would be started anew in each solve. Canonical because both parts are, every vertex below the
// cut is smaller than all others, and roots are linked under smaller ones.
#pragma once
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <core/parallel.hpp>
#include <hybrid/arrival.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>

namespace copse::hybrid {

/// How many of the vertices are `share` percent: rounded down, and all or none only where that is what was asked for.
inline std::uint32_t cut_at(std::uint32_t vertices, double share) noexcept {
  if (share >= 100) return vertices;
  const auto cut = static_cast<std::uint32_t>(std::floor(static_cast<double>(vertices) * std::max(0., share) / 100));
  return std::min(cut, vertices);
}

/// What the sides of a solve do; those with (D) on the thread that drives the device, which is the calling one when there are no two sides,
/// all others on the calling one, whose team of threads is warm.
///   load(times)                gives the rest its rows
///   while_rows_come(done)      (D) something useful meanwhile, until done()
///   cpu_part()                 labels of the vertices below the cut, in host memory; not called when there are none
///   while_device_works(done)   something useful for the cores when they have solved their part, until done()
///   solve(arcs)                (D) canonical labels of rest.inside(), in the device's memory; not called for no vertices
template <class Load, class WhileRowsCome, class CpuPart, class WhileDeviceWorks, class Solve>
struct both_sides {
  Load load;
  WhileRowsCome while_rows_come;
  CpuPart cpu_part;
  WhileDeviceWorks while_device_works;
  Solve solve;
};
template <class Load, class WhileRowsCome, class CpuPart, class WhileDeviceWorks, class Solve>
both_sides(Load, WhileRowsCome, CpuPart, WhileDeviceWorks, Solve) -> both_sides<Load, WhileRowsCome, CpuPart, WhileDeviceWorks, Solve>;

/// Labels of the whole graph, of which `cut` vertices are the CPU's, in the memory of the device behind `rest`.
template <class Rest, class Sides>
buffer<std::uint32_t> solve_on_both(Rest& rest, std::uint32_t cut, const Sides& sides, hybrid_report& told, phase_times& times) {
  using clock = std::chrono::steady_clock;
  const auto seconds_since = [](clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); };
  phase_times on_device;  // of another thread
  const auto start = clock::now();
  arrival rows, rest_solved;
  const auto load = [&] {
    rows.after([&] {
      sides.load(times);
      rest.split();
    });
  };
  const auto cpu_side = [&] {
    load();
    std::span<const std::uint32_t> labels;
    {
      const phase_timer time{times, "cpu part"};
      labels = sides.cpu_part();
    }
    {
      const phase_timer time{times, "copy labels in"};
      rest.give(labels);
    }
    const double solved = seconds_since(start);
    sides.while_device_works([&] { return !rest_solved.awaited(); });
    told.cpu_seconds = seconds_since(start);
    told.spare_seconds = told.cpu_seconds - solved;
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
  told.cpu_seconds = told.spare_seconds = told.gpu_seconds = 0;
  if (cut == 0) {
    load();
    device_side();
  } else {
    on_workers(2, [&](unsigned worker) {
      if (worker == 0) return cpu_side();
      sides.while_rows_come([&] { return !rows.awaited(); });
      if (rows.wait()) rest_solved.after(device_side);
    });
  }
  for (const phase& p : on_device.all()) times.add(p.name, p.seconds);
  const auto joining = clock::now();
  auto labels = rest.join(told, times);
  told.cross_seconds = seconds_since(joining);
  return labels;
}

}  // namespace copse::hybrid
