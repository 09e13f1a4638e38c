// Solving on a GPU: the graph is copied there once, whatever the number of trials, and stays for the proof.
#pragma once
#include <copse/cuda.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "solution.hpp"

namespace copse::cli {

struct gpu_session {
  gpu_session(unsigned device, std::uint64_t memory_limit_bytes, unsigned threads)
      : solver{{.device = device, .memory_limit_bytes = memory_limit_bytes, .threads = threads, .short_fetches = true}} {}

  gpu_solver solver;
  std::optional<gpu_solver::resident_graph> graph;
};

/// Which GPU these options mean, by name of a device or of a variant. Throws usage_error for a variant that runs elsewhere.
std::optional<unsigned> gpu_of(const solver_options& options);

/// What the variant can work on, when that is not the graph as it was read: rows of a list, or both directions of a graph that stores one.
std::optional<graph> rebuilt(const graph& g, const std::string& variant, const solve_options& settings);

/// Precondition: `settings.gpu`, and the graph is one that is held.
void solve_on_gpu(solution& solved, const input& graph, const solver_options& options, const solve_options& settings);

/// Empty when the labels are right, otherwise the first fault.
std::string fault_on_gpu(const solution& solved);

}  // namespace copse::cli
