// Which row of incremental connectivity runs.
#pragma once
#include <variants/table.hpp>

#include <string_view>

namespace copse::variant {

/// The row of that name; of "auto" the one for so many threads. Throws usage_error, with the reason, when there is none.
const table_entry& incremental_variant_named(std::string_view name, unsigned threads);

}  // namespace copse::variant
