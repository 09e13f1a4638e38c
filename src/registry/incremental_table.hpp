// The rows of incremental connectivity, by name.
#pragma once
#include <copse/incremental.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace copse::registry {

/// A row: what users see, and the place of its finish among the entries.
struct incremental_entry {
  variant_info info;
  std::size_t finish;
};

const std::vector<incremental_entry>& incremental_table();

/// The row of that name; of "auto" the one for so many threads. Throws usage_error, with the reason, when there is none.
const incremental_entry& incremental_entry_named(std::string_view name, unsigned threads);

}  // namespace copse::registry
