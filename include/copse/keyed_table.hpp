// Tables whose records have keys, as groups by key read them.
#pragma once
#include <copse/io.hpp>

#include <optional>
#include <vector>

namespace copse::io {

/// Which columns of a table in text name a record and hold its keys. Of read_options, `missing` are values that no record has, as are empty
/// ones; `columns`, weights and vertices do not matter.
struct keyed_table {
  std::optional<column> id;    ///< not set: a record is called by the line on which it begins; of one file only
  std::vector<column> keys;    ///< by which records are grouped
  bool one_namespace = false;  ///< the same value in two columns is the same key
  bool by_line = false;        ///< lines of a key and an id: read as an edge list is unless the file is called .csv; an id comes often
};

}  // namespace copse::io
