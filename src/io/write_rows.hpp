// Writes files that hold rows: GAP, ECL, Ligra and Galois graphs.
#pragma once
#include <copse/execution.hpp>
#include <copse/views.hpp>

#include <filesystem>
#include <string_view>

namespace copse::io {

/// Writes rows in the format of `suffix`. Precondition: holds_rows(suffix) (written_suffix.hpp). Throws input_error if the graph is too
/// large for the format.
template <unsigned_index Id, unsigned_index Offset>
void write_rows(csr_view<Id, Offset> rows, std::string_view suffix, const std::filesystem::path& path, const execution& on);

}  // namespace copse::io
