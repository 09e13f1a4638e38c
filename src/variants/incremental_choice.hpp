// Which variant of incremental connectivity runs.
#pragma once
#include <variants/table.hpp>

#include <string_view>

namespace copse::variant {

/// The variant of that name; for "auto", the one for this number of threads, or for a GPU. Throws usage_error with the reason if there is
/// none, and for one of the CPU where a GPU is asked for.
const table_entry& incremental_variant_named(std::string_view name, unsigned threads, bool on_gpu);

}  // namespace copse::variant
