// The variant of the backend cuda that a name stands for.
#pragma once
#include <copse/graph.hpp>
#include <copse/variants.hpp>
#include <variants/cuda.hpp>
#include <variants/table.hpp>

#include <string>

namespace copse::variant {

struct chosen_gpu_variant {
  const table_entry* chosen;
  std::string explanation;  ///< of a chooser
};

/// For a graph, at which choosers look. Throws usage_error for 64-bit ids, and for what is no variant of cuda for this problem.
chosen_gpu_variant gpu_variant_for(graph_view g, const std::string& name, problem_kind problem = problem_kind::components);

/// For rows of which only the sizes are known yet: of the variants that a chooser may take when it has seen them, the one that needs most
/// memory, which is the one that it takes for sorted rows of both directions.
const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name,
                                     problem_kind problem = problem_kind::components);

}  // namespace copse::variant
