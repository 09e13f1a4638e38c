// The sample of rows in the memory of a GPU by which `auto` chooses a variant, if no one has looked at the rows before.
#pragma once
#include <copse/options.hpp>
#include <device/solver.hpp>
#include <gpu/loops/row_facts.hpp>
#include <variants/gpu_choice.hpp>

#include <chrono>
#include <string>

namespace copse::api {

/// If the choice of this variant depends on a sample of the rows and `known` has none, takes one, and waits for it. Returns the seconds
/// that this takes.
inline double sample_rows(variant::known_rows& known, const graph_view& shape, const std::string& name, const device::solver& on,
                          const device::solver::graph& arcs) {
  if (known.sample || !variant::sample_decides(shape, name)) return 0;
  const auto start = std::chrono::steady_clock::now();
  known.sample = backend::sample_on_gpu(on.on(), arcs.rows, solve_options{}.seed);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace copse::api
