// The row of the backend cuda that a variant stands for.
#pragma once
#include <copse/graph/graph.hpp>
#include <copse/registry/variants.hpp>
#include <registry/cuda.hpp>
#include <registry/table.hpp>

#include <string>

namespace copse::registry {

struct gpu_choice {
  const row* chosen;
  std::string explanation;  ///< of a chooser
};

/// For a graph, at which choosers look. Throws usage_error for 64-bit ids, and for what is no row of cuda that solves this problem.
gpu_choice gpu_row_for(graph_view g, const std::string& variant, problem_kind problem = problem_kind::components);

/// For rows of which only the sizes are known yet: of the rows that a chooser may take when it has seen them, the one that needs most
/// memory, which is the one that it takes for sorted rows of both directions.
const row& gpu_row_ahead(const graph_sizes& rows, const std::string& variant, problem_kind problem = problem_kind::components);

/// What the solver underneath takes. Throws usage_error for 64-bit ids.
cuda_solver::graph gpu_arcs_of(graph_view g);

}  // namespace copse::registry
