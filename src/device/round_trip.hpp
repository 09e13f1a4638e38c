// A graph in host memory on its way to a GPU, and what was found there on its way back: what all problems have in common.
#pragma once
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/report.hpp>
#include <device/solver.hpp>
#include <loops/arcs.hpp>
#include <variants/table.hpp>

#include <chrono>
#include <string>

namespace copse::device {

/// copy_back(solver, solve(solver, graph there)): the copies are phases of their own, outside the clock of the solve, which is the GPU's.
/// Fills in the report's device and copy_seconds. Throws usage_error for 64-bit ids, resource_error with the numbers when the row does not
/// fit.
template <class Solve, class CopyBack>
auto solve_on_gpu(const variant::table_entry& row, const solver::graph& graph, const solve_options& options, solve_report& report,
                  phase_times& times, Solve solve, CopyBack copy_back) {
  using clock = std::chrono::steady_clock;
  const unsigned device = options.gpu.value_or(0);
  report.device = std::string{variant::cuda_name}.append(":").append(std::to_string(device));
  const auto start = clock::now();
  solver solver{{.device = device, .copies = {.threads = options.threads}}};
  const auto there = [&] {
    const phase_timer time{times, "copy in"};
    solver.expect_room(row.info, sizes_of(graph));
    return solver.copy_in(graph);
  }();
  const auto solved = solve(solver, there.view());
  auto back = [&] {
    const phase_timer time{times, "copy out"};
    return copy_back(solver, solved);
  }();
  report.copy_seconds = std::chrono::duration<double>(clock::now() - start).count() - solved.seconds;
  return back;
}

}  // namespace copse::device
