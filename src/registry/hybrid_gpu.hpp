// A hybrid solve on a GPU that is awake (builds with the GPU part only).
#pragma once
#include <copse/components.hpp>
#include <copse/core/solve_options.hpp>
#include <copse/graph/csr.hpp>
#include <registry/cuda.hpp>
#include <registry/hybrid.hpp>

#include <cstdint>
#include <string_view>

namespace copse::registry {

/// Labels in the memory of the GPU. `on_device`: the graph there. `host`: the same rows in host memory, or the first of them, as many as
/// the CPU gets. `row`: of a name like this. Fills in what the report says of it, but for the explanation. Throws usage_error when either
/// lacks a direction or the CPU gets more rows than `host` has; resource_error; cancelled.
template <class Offset>
buffer<std::uint32_t> solve_resident(cuda_solver& solver, const hybrid_row& row, const cuda_solver::graph& on_device,
                                     csr_view<std::uint32_t, Offset> host, const solve_options& options, const hybrid_options& how,
                                     solve_report& report);

}  // namespace copse::registry
