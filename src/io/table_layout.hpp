// How one table in text is laid out: its delimiter, its header, and where the wanted columns are. Found by looking at its first records;
// what could be read in two ways is told to the observer.
//
//   table_head head{source, ...};                            // looks, takes nothing
//   const table_layout layout = lay_out(head, wanted, ...);  // decides, or refuses
//   skip the header, if there is one, and pick layout.columns out of each record by layout.syntax
#pragma once
#include "io/records.hpp"

#include <copse/io.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

struct table_layout {
  record_syntax syntax;
  std::vector<unsigned> columns;  ///< the numbers of the wanted ones, in their order
  bool header = false;            ///< the first record is no data
  bool numeric = false;           ///< the ids of the first data record are numbers
  bool padded_ids = false;        ///< one of them has leading zeros, so that it is another id as a string
};

/// The first two records, comments and blank lines passed over.
struct first_records {
  std::optional<std::string_view> first, second;
  std::size_t first_at = 0;      ///< where the first one begins in the text
  std::size_t behind_first = 0;  ///< where what comes behind it begins
  bool complete = false;         ///< more text would not change them
};
first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole) noexcept;

/// What a table is asked for.
struct table_request {
  std::string name;             ///< of the file, for errors
  std::vector<column> columns;  ///< wanted
  std::size_t ids = 2;          ///< the first so many of them are ids, which decide whether the first record is a header
  bool only_ids = false;        ///< records without the others are looked at all the same
  char proposed = '\0';         ///< the delimiter that the suffix stands for; none: by content
};
/// The delimiter that a suffix stands for (`.gz` and `.zst` taken off first): ',' for `.csv`, a tab for `.tsv`, otherwise none.
char proposed_delimiter(const std::filesystem::path& path, format f);

/// Gives the first `least` bytes of a text, or all that there are, and whether that is all.
using text_opener = std::function<std::pair<std::string_view, bool>(std::size_t least)>;

/// Decides. `open` is called again for more text until two records are seen. Throws input_error, usage_error.
struct laid_out_table {
  table_layout layout;
  first_records head;
};
laid_out_table lay_out(const table_request& request, format f, const read_options& options, const text_opener& open);

/// Is it an integer written with leading zeros?
bool has_leading_zeros(std::string_view id) noexcept;
/// Is it a usual name of a column of ids (`id`, `source`, `from`, `id_l`, ... in any case)?
bool names_a_column(std::string_view field);

}  // namespace copse::io
