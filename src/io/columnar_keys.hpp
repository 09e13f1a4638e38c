// Records with keys in the columns of Parquet and Arrow files. A key that is an integer is the same value as its text.
#pragma once
#include "io/keyed_records.hpp"

#include <cstdint>
#include <optional>

namespace copse::io {

/// True if one of these tables is the kind of file that this reads.
[[nodiscard]] bool is_columnar_table(const std::filesystem::path& path, const read_options& options);

/// The columns to read from a table of records in any format: those of the id, then those of the keys.
[[nodiscard]] table_request request_for_keys(const std::string& name, const std::filesystem::path& path, format f,
                                             const keyed_table& table);

/// Reads one table, and calls sink.begin() if `begins`. `named`: true if ids are strings in the tables before, if there are any. Returns
/// what ids are here. A record without an id is called by its row, counted from 0, of which `lines` learns. Throws input_error for the
/// first bad record with its file and row.
bool parse_columnar_keys(const std::filesystem::path& path, const keyed_table& table, const read_request& options, unsigned workers,
                         std::optional<bool> named, bool begins, keyed_sink& sink, line_numbers& lines);

}  // namespace copse::io
