// How a stream of records in text is laid out: as an edge list, whose records may have a sign before the first column.
#pragma once
#include "io/table_layout.hpp"

#include <copse/operations.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// Columns are of the two ids, and of the weight of inserts when it matters; they are counted behind the sign.
struct stream_layout : table_layout {
  bool named = false;     ///< true if ids are strings
  bool erases = false;    ///< - is a sign, too
  bool two_only = false;  ///< columns were not chosen, and blanks separate them: a third word is a fault
};

/// True for + and ?, and for - where streams may erase.
constexpr bool is_sign(char c, bool erases) noexcept { return c == '+' || c == '?' || (erases && c == '-'); }
constexpr bool begins_with_sign(std::string_view record, bool erases) noexcept { return !record.empty() && is_sign(record[0], erases); }
/// A record that has a sign begins with it, and a delimiter or blank behind it. Takes both off.
std::optional<operation> take_sign(std::string_view& record, const record_syntax& syntax, bool erases) noexcept;
/// True if it is ambiguous: the field may be a negative id or a third sign.
constexpr bool begins_with_minus(std::string_view record) noexcept {
  return record.size() > 1 && record[0] == '-' && record[1] >= '0' && record[1] <= '9';
}

/// Decides by the first records of `text`: as lay_out() does where `patient`; otherwise, as their writer may wait for an answer, by
/// one where that is enough and by two elsewhere. Nothing: more of the text is needed. `whole`: there is no more. Throws input_error,
/// usage_error. Notes go to options.observer. `named` as in stream_read_options.
std::optional<stream_layout> lay_out_stream(const std::filesystem::path& path, const std::string& name, format f,
                                            const read_request& options, std::optional<bool> named, std::string_view text, bool whole,
                                            bool patient);

}  // namespace copse::io
