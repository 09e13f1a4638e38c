// hybrid.CPU.ROW: the CPU's part by `dfs` or `own`, the GPU's by any row of cuda on rows. These names are no rows of the table: each is
// two.
#pragma once
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <hybrid/cpu_part.hpp>
#include <variants/table.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace copse::hybrid {

inline constexpr std::string_view name_prefix = "hybrid.";
/// `auto` of both sides: the fast path on the CPU, what auto takes on a GPU.
inline constexpr std::string_view auto_name = "hybrid.auto";

struct hybrid_variant {
  std::string name;
  cpu_part part;
  const variant::table_entry* gpu;
};

/// Of a name that is_hybrid; as copse::refusal.
std::optional<std::string> refusal(std::string_view name, problem_kind problem);

/// `rows`: the graph, for hybrid.auto; its numbers only are looked at. Throws usage_error with the refusal.
hybrid_variant hybrid_variant_named(std::string_view name, graph_view rows);

/// components() by such a name: of a graph in host memory, labels there. Throws what components() throws.
components_result solve(graph_view whole, const vertex_names& names, const solve_options& options, const hybrid_options& how);

}  // namespace copse::hybrid
