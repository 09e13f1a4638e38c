// The rates of this machine that copse plan and --device auto count with: small runs of what is planned. All take a second or two, those
// of solving alone a fraction of it.
#pragma once
#include <copse/options.hpp>
#include <cstdint>

#include "estimate.hpp"

namespace copse::cli {

/// All of them, for a graph of such ids, those of rows if it has rows. By threads and memory of `how`; what is run is small enough for
/// `limit_bytes` of it, down to the least of least_planning_bytes.
machine_rates measure_rates(id_shape ids, bool rows, const solve_options& how, std::uint64_t limit_bytes);

/// Planning takes so much, however small the limit of what is planned.
inline constexpr std::uint64_t least_planning_bytes = std::uint64_t{8} << 20;

/// The largest graph that is solved to learn the rates of the CPU has so many edges.
inline constexpr std::uint64_t edges_of_rates = std::uint64_t{1} << 22;
/// By threads and memory of `how`: those of the CPU for edges that are read: as rows, or as a list. `halvings`: of all sizes.
void measure_solving(machine_rates& rates, bool rows, const solve_options& how, unsigned halvings = 0);
/// Those of a GPU, where there is one. The first call of a process that needs a GPU: it waits until the GPU has started.
void measure_gpu(machine_rates& rates, const solve_options& how, unsigned halvings = 0);

}  // namespace copse::cli
