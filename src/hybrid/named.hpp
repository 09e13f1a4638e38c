// Names of the form hybrid.CPU.VARIANT: the CPU's part is solved by `dfs`, `pieces` or `fast`, the GPU's part by any cuda variant that
// works on rows, or by one that works on lists of edges only. The table of variants does not list these names, because each stands for a
// pair of algorithms.
#pragma once
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <core/request.hpp>
#include <hybrid/cpu_part.hpp>
#include <variants/table.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace copse::hybrid {

inline constexpr std::string_view name_prefix = "hybrid.";
/// The name for the automatic choice on both sides: the fast path on the CPU, and the choice of `auto` on the GPU.
inline constexpr std::string_view auto_name = "hybrid.auto";

struct hybrid_variant {
  std::string name;
  cpu_part part;
  const variant::table_entry* gpu;
};

/// Returns the table entry of the cuda variant with this name, by which the GPU's part is solved: the entry for rows or, if that is
/// missing, the entry for lists of edges. Null if there is no such variant.
const variant::table_entry* gpu_part_entry(std::string_view cuda_variant);

/// Returns why the hybrid variant cannot solve this kind of problem, or nothing if it can. Precondition: is_hybrid(name).
std::optional<std::string> refusal(std::string_view name, problem_kind problem);

/// Returns the pair of algorithms of a name. For hybrid.auto it depends on the sizes and flags of the graph `rows`. Throws usage_error with
/// the reason that refusal() gives if it refuses the name.
hybrid_variant hybrid_variant_named(std::string_view name, graph_view rows);

/// Solves components() by a hybrid name, for a graph in host memory, with the labels in host memory. Throws what components() throws.
components_result solve(graph_view whole, const vertex_names& names, const solve_request& options);

}  // namespace copse::hybrid
