// The cuda variant that a name or a chooser stands for, where the caller asks for a GPU.
#pragma once
#include <copse/graph.hpp>
#include <copse/variants.hpp>
#include <loops/row_sample.hpp>
#include <variants/choosers.hpp>
#include <variants/cuda.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse::variant {

/// What the chooser of that name picks for a graph in host memory.
choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed, problem_kind problem = problem_kind::components);

/// `auto`, which asks for sizes, and for a sample of the rows where somebody could look at them. A spanning forest stays with the fast
/// path, which records its links at less cost than the variants of the table.
choice on_gpu(graph_view g, const std::optional<backend::row_sample>& sample = std::nullopt,
              problem_kind problem = problem_kind::components);
/// The choice for sorted rows that store both directions of every edge.
choice on_gpu(std::uint64_t vertices, std::uint64_t arcs);

struct chosen_gpu_variant {
  const table_entry* chosen = nullptr;
  std::string explanation;  ///< what a chooser says
};

/// The chooser that looks at the rows themselves; the others ask for sizes and what is known of the rows.
inline constexpr std::string_view tree_name = "gconn_tree";

/// The choice for a graph in host memory. Throws usage_error for 64-bit ids, and for a name that is not a cuda variant of this problem.
chosen_gpu_variant gpu_variant_for_host(graph_view in_host_memory, const std::string& name,
                                        problem_kind problem = problem_kind::components);
/// What was found out about rows when they came in.
struct known_rows {
  chosen_gpu_variant tree = {};                              ///< what the tree picked when they were in host memory
  std::optional<backend::row_sample> sample = std::nullopt;  ///< for `auto`
};
/// For one whose arrays may be anywhere, and which are not looked at.
chosen_gpu_variant gpu_variant_for(graph_view g, const std::string& name, problem_kind problem = problem_kind::components,
                                   const known_rows& known = {});

/// For rows of which only the sizes are known yet: of the variants that a chooser may take once it has examined them, the one that needs
/// the most memory, which is its choice for sorted rows with both directions.
const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name,
                                     problem_kind problem = problem_kind::components);

/// Throws usage_error for a variant whose rounds ask the host whether there is another: its kernels cannot all be enqueued at once.
void expect_no_waits(const table_entry& entry);

}  // namespace copse::variant
