// Determines the layout of a stream of records in text: that of an edge list, whose records may have a sign before the first column: +
// inserts an edge, ? queries a pair, and - erases an edge.
#pragma once
#include "io/table_layout.hpp"

#include <copse/operations.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// The columns are those of the two ids, and that of the weight if inserts have one; a sign (+, ? or -) in front of them is not counted as
/// a column.
struct stream_layout : table_layout {
  bool named = false;     ///< true if ids are strings
  bool erases = false;    ///< true if records may begin with -, which erases an edge
  bool two_only = false;  ///< true if a record with a third word is refused: blanks separate the words, and the caller chose no columns
};

/// True for + and ?, and for - if the stream may erase edges.
constexpr bool is_sign(char c, bool erases) noexcept { return c == '+' || c == '?' || (erases && c == '-'); }
constexpr bool begins_with_sign(std::string_view record, bool erases) noexcept { return !record.empty() && is_sign(record[0], erases); }
/// Removes the sign at the front of a record (+, ? or -), and the delimiter or blank that must follow it. Returns nullopt if there is no
/// sign.
std::optional<operation> take_sign(std::string_view& record, const record_syntax& syntax, bool erases) noexcept;
/// True if the record begins with a minus and a digit, which may be a negative id or the sign of an erase without a separator.
constexpr bool begins_with_minus(std::string_view record) noexcept {
  return record.size() > 1 && record[0] == '-' && record[1] >= '0' && record[1] <= '9';
}

/// Determines the layout from the first records of `text`: from up to most_first_records of them if `patient`; otherwise from one if that
/// suffices, or two, because the writer of the stream may wait for an answer. Returns nullopt if more text is needed; `whole` tells that
/// there is no more. `named` tells whether ids are strings, if earlier ids have shown it. Notes go to options.observer. Throws input_error,
/// usage_error.
std::optional<stream_layout> lay_out_stream(const std::filesystem::path& path, const std::string& name, format f,
                                            const read_request& options, std::optional<bool> named, std::string_view text, bool whole,
                                            bool patient);

}  // namespace copse::io
