// Which row of incremental connectivity runs.
#pragma once
#include <registry/table.hpp>

#include <string_view>

namespace copse::registry {

/// The row of that name; of "auto" the one for so many threads. Throws usage_error, with the reason, when there is none.
const row& incremental_row_named(std::string_view name, unsigned threads);

}  // namespace copse::registry
