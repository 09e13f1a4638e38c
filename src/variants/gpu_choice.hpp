// Finds the cuda variant for a name or a chooser, when the caller requests a GPU.
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

/// Returns the choice of the named chooser for a graph in host memory.
choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed, problem_kind problem = problem_kind::components);

/// Returns the choice of `auto`. It depends on sizes and, if `sample` is given, on what a sample of the rows shows. A spanning forest gets
/// the fast path, which records its links at little cost; but cuda.none.rem_cas.naive.halve_one for an edge list, for rows that may lack
/// one direction of an edge, and for unsorted rows with so few arcs that sampling does not pay.
choice on_gpu(graph_view g, const std::optional<backend::row_sample>& sample = std::nullopt,
              problem_kind problem = problem_kind::components);
/// Returns the choice of `auto` for sorted rows that store both directions of every edge.
choice on_gpu(std::uint64_t vertices, std::uint64_t arcs);

struct chosen_gpu_variant {
  const table_entry* chosen = nullptr;
  std::string explanation;
};

/// The chooser that examines the rows themselves; the others only use sizes and what is known about rows.
inline constexpr std::string_view tree_name = "gconn_tree";

/// Returns the variant for a graph in host memory. Throws usage_error for 64-bit ids, and for a name that is not a cuda variant of this
/// problem.
chosen_gpu_variant gpu_variant_for_host(graph_view in_host_memory, const std::string& name,
                                        problem_kind problem = problem_kind::components);
/// What was found out about rows when they were copied to the GPU.
struct known_rows {
  chosen_gpu_variant tree = {};                              ///< the choice of gconn_tree, made when the rows were in host memory
  std::optional<backend::row_sample> sample = std::nullopt;  ///< the sample of rows by which `auto` chooses
};
/// True if it is worth the 20 microseconds of a sample of the rows to decide which variant this name stands for: not for graphs of few
/// vertices, and not for long rows, for which the sizes alone mostly lead to the same choice.
[[nodiscard]] bool sample_decides(const graph_view& g, const std::string& name);
/// Returns the variant for a graph whose arrays may be anywhere; they are not examined.
chosen_gpu_variant gpu_variant_for(graph_view g, const std::string& name, problem_kind problem = problem_kind::components,
                                   const known_rows& known = {});

/// Returns a variant for rows of which only the sizes are known yet. Of the variants that a chooser may pick when it examines the rows,
/// this is the one that needs the most memory, namely its choice for sorted rows with both directions.
const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name,
                                     problem_kind problem = problem_kind::components);

/// Throws usage_error for a variant in which the host waits for the GPU between steps, because its kernels cannot all be enqueued at once.
void expect_no_waits(const table_entry& entry);

/// Returns the variant as gpu_variant_for() does, for components whose kernels are all enqueued without waiting for the GPU: for `auto` one
/// in which the host does not wait between steps. Throws usage_error if the caller has named a variant in which it does.
chosen_gpu_variant enqueued_gpu_variant(graph_view g, const std::string& name, const known_rows& known);

}  // namespace copse::variant
