// How one table in text is laid out: its separator, its header, and where the wanted columns are. Found by looking at its first records;
// what could be read in two ways is noted or refused. docs/reference/formats.md, "How a table is read", has the rules.
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
  std::vector<unsigned> columns;  ///< the numbers of the wanted ones: those of ids, then the others
  std::size_t ids = 2;            ///< how many of them are of ids,
  std::size_t left = 1;           ///< and how many of those columns form the first id
  unsigned fields = 0;            ///< that a record has, by the first one
  bool header = false;            ///< the first record is no data
  bool has_data = false;          ///< there is a record of data
  bool numeric = false;           ///< true if there is a first record and its ids are numbers
  bool padded_ids = false;        ///< one of them has leading zeros, so that it is another id as a string
};

/// The columns and options that a reader of a table was asked for.
struct table_request {
  /// What a header may say about columns of ids that the caller has not chosen.
  enum class presumption : std::uint8_t {
    none,    ///< they were chosen
    ends,    ///< the two ends of edges
    id,      ///< the id of a record
    columns  ///< nothing, but one that has no name is not of ids
  };

  std::string name;             ///< the file's name, for errors
  std::vector<column> columns;  ///< wanted
  std::size_t ids = 2;          ///< how many of the first columns are ids, which decide whether the first record is a header
  std::size_t left = 1;         ///< how many of these columns, from the first on, form the first id
  presumption presumed = presumption::none;
  std::string option = "columns";  ///< the option that chooses the columns of ids
  bool only_ids = false;           ///< records without the others are looked at all the same
  bool refuses_bipartite = false;  ///< a list whose left and right ids are two kinds of vertices is refused
  char proposed = '\0';            ///< the separator that the suffix stands for; none: by content
};
/// The request for the ends and the weights of edges.
table_request request_for_edges(const std::string& name, const std::filesystem::path& path, format f, const read_options& options);

/// The delimiter that a suffix stands for (`.gz` and `.zst` taken off first): ',' for `.csv`, a tab for `.tsv`, otherwise none.
char proposed_delimiter(const std::filesystem::path& path, format f);

/// Returns the first `least` bytes of a text, or all if it is shorter, and whether these are all.
using text_opener = std::function<std::pair<std::string_view, bool>(std::size_t least)>;

/// Bytes of a text in which its first records are looked for; twice as many, and so on, where there are not two.
inline constexpr std::size_t first_look_bytes = std::size_t{1} << 16;

/// Decides the layout of a table. `open` is called again for more text until two records are seen. Throws input_error, usage_error.
struct laid_out_table {
  table_layout layout;
  first_records head;
};
laid_out_table lay_out(const table_request& request, format f, const read_request& options, const text_opener& open);

/// The syntax of comments and quotes, before the separator is known.
record_syntax syntax_without_separator(format f, const read_options& options);

}  // namespace copse::io
