// The cuda variant that a name or a chooser stands for.
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

/// For a graph that choosers can examine. Throws usage_error for 64-bit ids, and for a name that is not a cuda variant of this problem.
chosen_gpu_variant gpu_variant_for(graph_view g, const std::string& name, problem_kind problem = problem_kind::components);

/// For rows of which only the sizes are known yet: of the variants that a chooser may take once it has examined them, the one that needs
/// the most memory, which is its choice for sorted rows with both directions.
const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name,
                                     problem_kind problem = problem_kind::components);

/// Throws usage_error for a variant whose rounds ask the host whether there is another: its kernels cannot all be enqueued at once.
void expect_no_waits(const table_entry& entry);

}  // namespace copse::variant
