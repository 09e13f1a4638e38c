// Determines the layout of a table in text from its first records: its separator, its header, and where the wanted columns are. A table
// that could be read in two ways is noted or refused. docs/reference/formats.md, "How a table is read", has the rules.
//
//   const auto [layout, head] = lay_out(request, f, options, open);  // decides, or refuses
//   skip the header, if there is one, and pick layout.columns out of each record by layout.syntax
#pragma once
#include "io/records.hpp"
#include "io/request.hpp"

#include <copse/io.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::io {

struct table_layout {
  record_syntax syntax;
  std::vector<unsigned> columns;  ///< numbers of the wanted columns, from 1: first those of ids, then those of weights or keys
  std::size_t ids = 2;            ///< how many of the columns form ids
  std::size_t left = 1;           ///< how many of the columns form the first id
  unsigned fields = 0;            ///< number of fields of the first record
  bool header = false;            ///< true if the first record is a header
  bool has_data = false;          ///< true if there is a record of data
  bool numeric = false;           ///< true if the ids of the first record of data are numbers, or if there is none
  bool padded_ids = false;  ///< true if an id of the first record of data is a number with leading zeros, and so another id as a string
};

/// What a reader wants to know of a table: the columns, and how to choose them.
struct table_request {
  /// What names in a header are looked for, if the caller did not choose the columns of ids.
  enum class presumption : std::uint8_t {
    none,    ///< none: the caller chose the columns
    ends,    ///< the names of both ids of an edge, such as `source` and `target`
    id,      ///< the name of the id of a record, such as `unique_id`
    columns  ///< none, but a header without a name for the first column is refused
  };

  std::string name;             ///< the file's name for error messages
  std::vector<column> columns;  ///< the wanted columns: first those of ids, then those of weights or keys
  std::size_t ids = 2;          ///< how many of the first columns form ids; these decide whether the first record is a header
  std::size_t left = 1;         ///< how many of the first columns form the first id
  presumption presumed = presumption::none;
  std::string option = "columns";  ///< the option that chooses the columns of ids, for error messages
  bool only_ids = false;           ///< true if records need not have the columns that are not ids
  bool refuses_bipartite = false;  ///< true if lists are refused whose left and right ids are different kinds of vertices
  char proposed = '\0';            ///< the separator that the suffix implies; '\0' if it implies none
};
/// The request for the columns of ids and weights in an edge list.
table_request request_for_edges(const std::string& name, const std::filesystem::path& path, format f, const read_options& options);

/// The delimiter that a suffix implies (after removing `.gz` or `.zst`): ',' for `.csv`, a tab for `.tsv`, otherwise '\0'.
char proposed_delimiter(const std::filesystem::path& path, format f);

/// Returns the first `least` bytes of a text, or all of it if it is shorter, and whether that is the whole text.
using text_opener = std::function<std::pair<std::string_view, bool>(std::size_t least)>;

/// How many bytes of a text are searched for its first records; doubled until there are two records.
inline constexpr std::size_t first_look_bytes = std::size_t{1} << 16;

/// The layout of a table, and the first records, from which lay_out() determines it. lay_out() calls `open` for more text until it has two
/// records, and throws input_error or usage_error.
struct laid_out_table {
  table_layout layout;
  first_records head;
};
laid_out_table lay_out(const table_request& request, format f, const read_request& options, const text_opener& open);

/// How comments and quotes are recognized before the separator is known.
record_syntax syntax_without_separator(format f, const read_options& options);

}  // namespace copse::io
