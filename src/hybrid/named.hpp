// hybrid.CPU.VARIANT: the CPU's part by `dfs`, `pieces` or `fast`, the GPU's by any cuda variant on rows, or one on lists of edges only.
// These names are not in the table: each stands for a pair.
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
/// `auto` on both sides: the fast path on the CPU, and the choice of `auto` on the GPU.
inline constexpr std::string_view auto_name = "hybrid.auto";

struct hybrid_variant {
  std::string name;
  cpu_part part;
  const variant::table_entry* gpu;
};

/// The variant of cuda that a GPU's part is solved by: on rows, or, where it works on lists only, on the list of their edges. Null if there
/// is none.
const variant::table_entry* gpu_part_entry(std::string_view cuda_variant);

/// copse::refusal for a name that is_hybrid.
std::optional<std::string> refusal(std::string_view name, problem_kind problem);

/// `rows`: the graph, for hybrid.auto, which reads only its sizes and flags. Throws usage_error with the refusal.
hybrid_variant hybrid_variant_named(std::string_view name, graph_view rows);

/// components() by a hybrid name, for a graph in host memory, with the labels in host memory. Throws what components() throws.
components_result solve(graph_view whole, const vertex_names& names, const solve_request& options);

}  // namespace copse::hybrid
