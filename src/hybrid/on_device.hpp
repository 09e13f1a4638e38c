// A hybrid solve on a GPU that is initialised already (only in builds with the GPU part).
#pragma once
#include <copse/components.hpp>
#include <copse/views.hpp>
#include <core/request.hpp>
#include <device/solver.hpp>
#include <hybrid/named.hpp>

#include <cstdint>
#include <string_view>

namespace copse::hybrid {

/// Labels in the GPU's memory. `on_device`: the graph in the GPU's memory. `host`: the same rows in host memory, or the first of them, as
/// many as the CPU gets. Fills in the report, except for the explanation. Throws usage_error if either lacks a direction or the CPU gets
/// more rows than `host` has; resource_error; cancelled.
template <class Offset>
buffer<std::uint32_t> solve_resident(device::solver& solver, const hybrid_variant& chosen, const device::solver::graph& on_device,
                                     csr_view<std::uint32_t, Offset> host, const solve_request& options, solve_report& report);

}  // namespace copse::hybrid
