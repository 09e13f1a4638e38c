// A hybrid solve on a GPU that is already initialised (only in builds with the GPU part).
#pragma once
#include <copse/components.hpp>
#include <copse/views.hpp>
#include <core/request.hpp>
#include <device/solver.hpp>
#include <hybrid/named.hpp>

#include <cstdint>
#include <string_view>

namespace copse::hybrid {

/// Returns labels in the GPU's memory. `on_device` is the graph in the GPU's memory, and `host` has the same rows in host memory, or at
/// least as many of the first rows as the CPU gets. Fills in the report, except for the explanation. Throws usage_error if either graph
/// lacks a direction or the CPU gets more rows than `host` has; resource_error; cancelled.
template <class Offset>
buffer<std::uint32_t> solve_resident(device::solver& solver, const hybrid_variant& chosen, const device::solver::graph& on_device,
                                     csr_view<std::uint32_t, Offset> host, const solve_request& options, solve_report& report);

}  // namespace copse::hybrid
