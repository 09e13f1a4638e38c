// Generators of synthetic graphs and lists.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::gen {

// Synthetic graphs. A spec such as `rmat:scale=20,edges=16,seed=7` names the same graph on every machine, for every thread count.

struct parameter {
  std::string_view name;
  std::string_view meaning;   ///< what the parameter means, with its unit or range
  std::string_view fallback;  ///< default value; empty if the parameter is required
};
struct family {
  std::string_view name;
  std::string_view summary;
  std::string_view source;                ///< the paper that defines the family, or the definition itself
  std::span<const parameter> parameters;  ///< parameters except `seed` and `shuffle`, which every family has
};

/// All families of graphs, in the order of the command line's help.
[[nodiscard]] std::span<const family> families() noexcept;

/// True if `text` is a generator spec (a known family, alone or followed by a colon) rather than a file name.
[[nodiscard]] bool is_spec(std::string_view text) noexcept;

/// Generates the raw edge list of a spec, which may contain loops and repeated edges. Throws usage_error for a bad spec.
[[nodiscard]] graph generate_edges(std::string_view spec, const execution& on = {});
/// Generates the simple symmetric graph of a spec as sorted rows: generate_edges(), then build_csr().
[[nodiscard]] graph generate(std::string_view spec, const execution& on = {});

// Synthetic lists for list ranking. A spec such as `list:n=1000000,seed=7` names the same lists on every machine, for every thread count.

/// All families of lists, in the order of the command line's help.
[[nodiscard]] std::span<const family> list_families() noexcept;

/// True if `text` is a spec of lists (a known family, alone or followed by a colon) rather than a file name.
[[nodiscard]] bool is_list_spec(std::string_view text) noexcept;

/// Generates the lists of a spec. Throws usage_error for a bad spec, resource_error when memory runs out. O(n), with n random writes unless
/// the list is in order.
[[nodiscard]] successor_list generate_list(std::string_view spec, const execution& on = {});

}  // namespace copse::gen
