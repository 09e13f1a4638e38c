// Algorithm 3 of Banerjee and Kothapalli, Hybrid algorithms for list ranking and graph connected components (HiPC 2011): the cores solve
// the vertices below a cut while the GPU solves the rest, with one host thread to drive each side; then the GPU joins the two parts. All
// cores copy the GPU's rows before they begin with their own part (docs/decisions/hybrid_copies_first.md). The labels are canonical because
// those of both parts are, every vertex below the cut is smaller than all others, and roots are linked to smaller ones.
#pragma once
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <core/phase_times.hpp>
#include <core/team.hpp>
#include <hybrid/gpu_part_rows.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>

namespace copse::hybrid {

/// An event that one thread waits for and another completes.
class arrival {
public:
  [[nodiscard]] bool awaited() const noexcept { return state_.load(std::memory_order_acquire) == state::awaited; }
  /// Waits for the event and returns true, or false if the thread that should complete it failed. Spins instead of sleeping, because waking
  /// up would take too long; meant for a thread that has a core to itself.
  [[nodiscard]] bool wait() const noexcept {
    while (awaited()) std::this_thread::yield();
    return state_.load(std::memory_order_acquire) == state::arrived;
  }
  /// Calls f(). Then the event has arrived, or failed if f() threw.
  template <class F>
  void after(F f) {
    try {
      f();
    } catch (...) {
      state_.store(state::failed, std::memory_order_release);
      throw;
    }
    state_.store(state::arrived, std::memory_order_release);
  }

private:
  enum class state : std::uint8_t { awaited, arrived, failed };

  std::atomic<state> state_{state::awaited};
};

/// Returns `share` percent of the vertices, rounded down; all vertices only if `share` is 100.
inline std::uint32_t cut_at(std::uint32_t vertices, double share) noexcept {
  if (share >= 100) return vertices;
  const auto cut = static_cast<std::uint32_t>(std::floor(static_cast<double>(vertices) * std::max(0., share) / 100));
  return std::min(cut, vertices);
}

/// The functions that do the work of both sides of a solve. Those marked (D) run on the thread that drives the device, which is the calling
/// thread if the CPU has no part; all others run on the calling thread.
///   load(times)                gives the GPU's part its rows
///   while_rows_come(done)      (D) does useful work during the load, until done() is true
///   cpu_part()                 returns a cpu_answer, in host memory; not called if no vertices are below the cut
///   while_device_works(done)   does useful work on the cores once they have solved their part, until done() is true
///   solve(arcs)                (D) returns canonical labels of gpu_part.inside(), in the device's memory; not called without vertices
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

/// Returns labels of the whole graph, of which the CPU solves the first `cut` vertices, in the memory of the device that `gpu_part` uses.
template <class GpuPart, class Sides>
buffer<std::uint32_t> solve_on_both(GpuPart& gpu_part, std::uint32_t cut, const Sides& sides, hybrid_report& report, phase_times& times) {
  using clock = std::chrono::steady_clock;
  const auto seconds_since = [](clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); };
  phase_times device_times;  // written by the thread that drives the device
  const auto start = clock::now();
  arrival rows, gpu_part_solved;
  const auto load = [&] {
    rows.after([&] {
      sides.load(times);
      gpu_part.split();
    });
  };
  const auto cpu_side = [&] {
    load();
    cpu_answer found;
    {
      const phase_timer time{times, "cpu part"};
      found = sides.cpu_part();
    }
    {
      const phase_timer time{times, "copy labels in"};
      gpu_part.give(std::move(found));
    }
    const double solved = seconds_since(start);
    sides.while_device_works([&] { return !gpu_part_solved.awaited(); });
    report.cpu_seconds = seconds_since(start);
    report.spare_seconds = report.cpu_seconds - solved;
  };
  const auto device_side = [&] {
    const auto inside = [&] {
      const phase_timer time{device_times, "split"};
      return gpu_part.inside();
    }();
    {
      const phase_timer time{device_times, "gpu part"};
      if (inside.vertices != 0) gpu_part.take(sides.solve(inside));
    }
    report.gpu_seconds = seconds_since(start);
  };
  report.cpu_seconds = report.spare_seconds = report.gpu_seconds = 0;
  if (cut == 0) {
    load();
    device_side();
  } else {
    on_workers(2, [&](unsigned worker) {
      if (worker == 0) return cpu_side();
      sides.while_rows_come([&] { return !rows.awaited(); });
      if (rows.wait()) gpu_part_solved.after(device_side);
    });
  }
  for (const phase& p : device_times.all()) times.add(p.name, p.seconds);
  const auto joining = clock::now();
  auto labels = gpu_part.join(report, times);
  report.cross_seconds = seconds_since(joining);
  return labels;
}

}  // namespace copse::hybrid
