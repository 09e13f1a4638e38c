// Names of solves on the CPU and a GPU together, and what their tables go by.
#pragma once
#include <copse/core/share_table.hpp>
#include <copse/graph/graph.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

/// Is it hybrid.CPU.ROW (CPU is dfs or own; ROW is a row of cuda on rows, without its first word) or hybrid.auto, or looks like one?
/// components() takes them as solve_options::variant; they are no rows of variants(). refusal() says whether there is such a one.
bool is_hybrid(std::string_view name) noexcept;

/// All of them but hybrid.auto that match a pattern with `*` and `?`; none in a build without the GPU part.
std::vector<std::string> hybrid_names(std::string_view pattern = "*");

/// What a table of shares is asked about: of rows, some random places are looked at (own path's probe, some tenths of a millisecond).
graph_looks looks_of(graph_view g, std::uint64_t seed = 1);

}  // namespace copse
