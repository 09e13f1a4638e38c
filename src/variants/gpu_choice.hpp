// Finds the cuda variant for a name or a chooser, when the caller requests a GPU.
#pragma once
#include <copse/graph.hpp>
#include <copse/variants.hpp>
#include <variants/choosers.hpp>
#include <variants/cuda.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::variant {

/// Returns the choice of the named chooser for a graph in host memory.
choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed);

/// Returns the choice of `auto`, which depends on sizes only. Rows that store both directions of every edge get cuda.hb.fast, the fast
/// path, which decides on the GPU how to go on; edge lists and rows that may lack a direction get cuda.none.rem_cas.naive.halve_one.
choice on_gpu(graph_view g);
/// Returns the choice of `auto` for sorted rows that store both directions of every edge.
choice on_gpu(std::uint64_t vertices, std::uint64_t arcs);

struct chosen_gpu_variant {
  const table_entry* chosen = nullptr;
  std::string explanation;
};

/// The chooser that examines rows in host memory; the others only use the sizes and the order of rows.
inline constexpr std::string_view tree_name = "gconn_tree";

/// Returns the variant for a graph in host memory. Throws usage_error for 64-bit ids, and for a name that is not a cuda variant of this
/// problem.
chosen_gpu_variant gpu_variant_for_host(graph_view in_host_memory, const std::string& name,
                                        problem_kind problem = problem_kind::components);
/// Returns the variant for a graph whose arrays may be anywhere; they are not examined. `tree`: the choice of gconn_tree, made when the
/// rows were in host memory.
chosen_gpu_variant gpu_variant_for(graph_view g, const std::string& name, problem_kind problem = problem_kind::components,
                                   const chosen_gpu_variant& tree = {});

/// Returns a variant for rows of which only the sizes are known yet: the choice for sorted rows with both directions, which needs more
/// memory than other choices of the same chooser.
const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name,
                                     problem_kind problem = problem_kind::components);

/// Throws usage_error for a variant in which the host waits for the GPU between steps, because its kernels cannot all be enqueued at once.
void expect_no_waits(const table_entry& entry);

}  // namespace copse::variant
