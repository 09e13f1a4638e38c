// What tests on a GPU share: a reason to skip, and a variant's solve on a graph in host memory.
#pragma once
#include <gtest/gtest.h>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <device/solver.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <variant>
#include <vector>

namespace copse::test {

inline bool has_gpu() {
  static const bool any = !gpus().empty();
  return any;
}

/// First in every test.
#define COPSE_NEEDS_GPU() \
  if (!copse::test::has_gpu()) GTEST_SKIP() << "no GPU on this machine: run tests/gpu/on_device.sh where there is one"

using arc_view = backend::arc_set<std::uint32_t>;

/// For calls that ask which variant is to run.
inline const variant_info& a_variant(const device::graph_sizes& /*rows*/) {
  return variant::find_entry("cuda.none.ecl", input_kind::csr)->info;
}

/// With a giant and a thousand vertices outside.
inline const graph& rmat() {
  static const graph g = build_csr(gen::generate("rmat:scale=13,edges=8"));
  return g;
}
inline const csr<std::uint32_t, std::uint32_t>& rmat_rows() { return std::get<csr<std::uint32_t, std::uint32_t>>(rmat().shape()); }

/// All variants of cuda for this problem.
using variant_case = const variant::table_entry*;
inline std::vector<variant_case> cuda_variants(problem_kind problem) {
  std::vector<variant_case> found;
  for (const variant::table_entry& entry : variant::table(problem)) {
    if (entry.info.backend == variant::cuda_name) found.push_back(&entry);
  }
  return found;
}

inline buffer<std::uint32_t> solve_on(device::solver& solver, const variant::table_entry& entry, const arc_view& on_device,
                                      std::uint64_t seed = 1) {
  phase_times times;
  const auto solved = solver.solve(entry.sampler, entry.finish, on_device, {{.seed = seed}, {}}, times);
  return solver.copy_out(solved.labels, host_memory());
}

}  // namespace copse::test
