// hybrid.CPU.ROW: the CPU's part by `dfs` or `own`, the GPU's by any row of cuda on rows. These names are no rows of the table: each is
// two.
#pragma once
#include <copse/components.hpp>
#include <copse/graph/graph.hpp>
#include <copse/registry/hybrid.hpp>
#include <copse/registry/variants.hpp>
#include <registry/hybrid_cpu_part.hpp>
#include <registry/table.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace copse::registry {

inline constexpr std::string_view hybrid_prefix = "hybrid.";
/// `auto` of both sides: our own path on the CPU, what auto takes on a GPU.
inline constexpr std::string_view hybrid_auto = "hybrid.auto";

struct hybrid_row {
  std::string name;
  cpu_part part;
  const row* gpu;
};

/// Of a name that is_hybrid; as copse::refusal.
std::optional<std::string> hybrid_refusal(std::string_view name, problem_kind problem);

/// `rows`: the graph, for hybrid.auto; its numbers only are looked at. Throws usage_error with the refusal.
hybrid_row hybrid_named(std::string_view name, graph_view rows);

/// components() by such a name: of a graph in host memory, labels there. Throws what components() throws.
components_result solve_hybrid(graph_view whole, const vertex_names& names, const solve_options& options, const hybrid_options& how);

}  // namespace copse::registry
