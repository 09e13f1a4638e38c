// Tables whose records have keys, as groups by key read them.
#pragma once
#include <copse/io.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace copse::io {

/// Which columns of a table, in text or in Parquet and Arrow, name a record and hold its keys. Of read_options, `missing` are values that
/// no record has, as are empty ones; `columns`, weights and vertices do not matter.
struct keyed_table {
  std::optional<id_columns>
      id;                    ///< not set: a record is called by the line on which it begins, in columns by its row from 0; of one file only
  std::vector<column> keys;  ///< by which records are grouped
  bool one_namespace = false;  ///< the same value in two columns is the same key
  bool by_line = false;        ///< lines of a key and an id: read as an edge list is unless the file is called .csv; an id comes often
};

/// append_components() for the records of such a table, each with the component of its id (or line) behind. Reads `input` again.
void append_components(const std::filesystem::path& input, const keyed_table& table, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& writing = {}, const execution& on = {});

}  // namespace copse::io
