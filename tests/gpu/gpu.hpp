// What tests on a GPU share: a reason to skip, and a variant's solve on a graph in host memory.
#pragma once
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <device/solver.hpp>
#include <variants/table.hpp>

#include <cstdint>

namespace copse::test {

inline bool has_gpu() {
  static const bool any = !gpus().empty();
  return any;
}

/// First in every test.
#define COPSE_NEEDS_GPU() \
  if (!copse::test::has_gpu()) GTEST_SKIP() << "no GPU on this machine: run tests/gpu/on_device.sh where there is one"

using gpu_graph = backend::arc_set<std::uint32_t>;

inline buffer<std::uint32_t> solve_on(device::solver& solver, const variant::table_entry& entry, const gpu_graph& on_device,
                                      std::uint64_t seed = 1) {
  phase_times times;
  const auto solved = solver.solve(entry.sampler, entry.finish, on_device, {.seed = seed}, times);
  return solver.copy_out(solved.labels, host_memory());
}

}  // namespace copse::test
