// Synthetic lists to rank. A spec such as `list:n=1000000,seed=7` names the same lists on every machine, for every thread count.
#pragma once
#include <copse/core/successor_list.hpp>
#include <copse/gen/generate.hpp>

#include <span>
#include <string_view>

namespace copse::gen {

/// The families of lists, in the order of the help.
std::span<const family> list_families() noexcept;

/// Is this a spec of lists (a known family, alone or followed by a colon) rather than a file name?
bool is_list_spec(std::string_view text) noexcept;

/// Throws usage_error for a bad spec, resource_error when memory ends. O(n), n random writes unless the list is in order.
successor_list generate_list(std::string_view spec, const generate_options& options = {});

}  // namespace copse::gen
