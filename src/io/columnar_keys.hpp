// Reads records with keys from the columns of Parquet and Arrow files. An integer key is equal to its decimal text.
#pragma once
#include "io/keyed_records.hpp"

#include <cstdint>
#include <optional>

namespace copse::io {

/// True if this is a Parquet or Arrow table.
[[nodiscard]] bool is_columnar_table(const std::filesystem::path& path, const read_options& options);

/// The columns to read from a table of records in any format: the columns of the id, then those of the keys.
[[nodiscard]] table_request request_for_keys(const std::string& name, const std::filesystem::path& path, format f,
                                             const keyed_table& table);

/// Reads one table, and calls sink.begin() if `begins`. `named` is set by the tables before this one: true if their ids are strings.
/// Returns true if the ids of this table are strings. A record without an id is named by its row, counted from 0, which is recorded in
/// `lines`. Throws input_error for the first bad record with its file and row.
bool parse_columnar_keys(const std::filesystem::path& path, const keyed_table& table, const read_request& options, unsigned workers,
                         std::optional<bool> named, bool begins, keyed_sink& sink, line_numbers& lines);

}  // namespace copse::io
