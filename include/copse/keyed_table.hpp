// Tables whose records have keys, the input for grouping records by key.
#pragma once
#include <copse/io.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace copse::io {

/// The columns of a table (text, Parquet or Arrow) that hold the record ids and the keys. Of read_options, `missing` lists values that
/// count as no key, like empty ones; `columns`, weights and vertices are ignored.
struct keyed_table {
  /// If not set, the id of a record is the number of the line on which it begins, or in Parquet and Arrow its row number from 0; then
  /// there may be only one file.
  std::optional<id_columns> id;
  std::vector<column> keys;    ///< the columns by whose values records are grouped
  bool one_namespace = false;  ///< equal values in two columns are the same key
  bool by_line = false;        ///< each line is a key and an id, which may repeat; parsed as an edge list unless the file is .csv
};

/// Copies the records of a keyed table and appends to each the component of its id (or line), like append_components() for edge lists.
/// Reads `input` again.
void append_components(const std::filesystem::path& input, const keyed_table& table, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& writing = {}, const execution& on = {});

}  // namespace copse::io
