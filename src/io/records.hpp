// Splits a table in text into records and their fields. Delimiters, quotes and line ends are known only here; the readers of edge lists, of
// streams and of any other table use these functions.
//
// A record is a line, and a line ends with LF, CRLF or CR. With quotes (RFC 4180), a field that begins with a quote goes on to the quote
// that closes it, and may hold delimiters, line ends and doubled quotes on the way; so a record may be several lines. A quote inside a
// field that does not begin with one is a character like any other. Blanks before an opening quote and after a closing one are dropped.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

struct record_syntax {
  char delimiter = ',';  ///< separates fields, which may be empty
  bool blanks = true;    ///< true if fields are separated by runs of spaces and tabs instead, and so never empty
  bool quotes = false;
  bool trimmed = true;     ///< true if blanks around an unquoted field are removed
  std::string comments{};  ///< a line is a comment if its first character, apart from blanks, is one of these

  [[nodiscard]] bool separates(char c) const noexcept { return blanks ? c == ' ' || c == '\t' : c == delimiter; }
  /// True for a space or tab that does not separate fields.
  [[nodiscard]] bool is_padding(char c) const noexcept { return (c == ' ' || c == '\t') && !separates(c); }
};

/// The maximum number of bytes in a quoted field. Without a limit, one stray quote would turn the rest of a file into one field.
inline constexpr std::size_t longest_quoted_field = std::size_t{1} << 20;

/// Returns the position of the first LF or CR in [at, end), or `end`.
const char* find_line_end(const char* at, const char* end) noexcept;
/// The number of line ends in the text; CRLF counts as one.
std::uint64_t count_line_ends(std::string_view text) noexcept;
/// Cuts the first line off `rest`, and returns it without its line end. Precondition: `rest` is not empty.
std::string_view cut_line(std::string_view& rest) noexcept;

/// The offset after the first line of `text` with its line end; npos if the line end is not in `text`. `whole` tells that nothing follows
/// `text`, so the last line may lack its end. (Otherwise a CR at the end of `text` is not a line end yet, because LF may follow.)
std::size_t end_of_line(std::string_view text, bool whole) noexcept;
/// The offset after the first record of `text`; npos if its end is not in `text`. `whole` tells that nothing follows `text`. If a quote is
/// not closed within longest_quoted_field, the record is cut there.
std::size_t end_of_record(std::string_view text, const record_syntax& syntax, bool whole) noexcept;
/// The offset of the first end of a record that is at least `least` bytes after the front of `text`; npos if there is none in `text`.
std::size_t end_of_records(std::string_view text, const record_syntax& syntax, std::size_t least, bool whole) noexcept;
/// The offset of the last end of a record in `text`, which more text follows; npos if no record ends in it.
std::size_t last_end_of_records(std::string_view text, const record_syntax& syntax) noexcept;

/// Cuts the first record off `rest`, and returns it without its line end. Precondition: `rest` is not empty and holds whole records. If a
/// quote in the record is not closed, returns the text from that quote on, so that any field_picker refuses it.
std::string_view cut_record(std::string_view& rest, const record_syntax& syntax) noexcept;
/// True if the record is empty or consists of blanks, unless a blank is the delimiter.
bool is_blank_record(std::string_view record, const record_syntax& syntax) noexcept;
bool is_comment(std::string_view record, const record_syntax& syntax) noexcept;

enum class record_fault : std::uint8_t { none, missing_column, open_quote, text_behind_quote };

/// Picks the fields of some columns out of records. Each thread needs its own, because it owns the fields that had to be copied.
class field_picker {
public:
  /// `columns` are counted from 1, in any order; field i comes from columns[i]. If there are none, all columns of each record are picked.
  field_picker(const record_syntax& syntax, std::span<const unsigned> columns);

  /// Picks the fields of a record. The fields are valid as long as the record, until forget() is called.
  record_fault pick(std::string_view record);
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept { return fields_[i]; }
  [[nodiscard]] const std::vector<std::string_view>& fields() const noexcept { return fields_; }
  /// The number of columns that were cut from the last record: columns after the last wanted one are not cut.
  [[nodiscard]] unsigned seen() const noexcept { return seen_; }
  /// True if the last record has columns after the last wanted one.
  [[nodiscard]] bool has_more() const noexcept { return more_; }
  /// Makes trimmed_fields() count the fields with indices [first, last) from which blanks were removed.
  void watch(std::size_t first, std::size_t last) noexcept {
    first_watched_ = first;
    last_watched_ = last;
  }
  [[nodiscard]] std::uint64_t trimmed_fields() const noexcept { return trimmed_fields_; }
  [[nodiscard]] unsigned last_column() const noexcept { return last_; }
  /// Frees the copies of fields with doubled quotes.
  void forget() {
    if (!copies_.empty()) copies_.clear();
  }

  /// What the error message for a faulty record says was found and expected.
  struct refusal {
    std::string found, expected;
  };
  [[nodiscard]] refusal refusal_of(record_fault fault, std::string_view record) const;

private:
  void cut_plain_field(std::string_view& rest, std::string_view& field, bool& more) const;
  record_fault cut_field(std::string_view& rest, std::string_view& field, bool& more, bool& quoted);
  void take(std::string_view field, bool quoted, std::size_t place);
  record_fault cut_quoted(std::string_view& rest, std::string_view& content);

  const record_syntax& syntax_;
  std::vector<std::pair<unsigned, std::size_t>> wanted_;  // columns and the indices of their fields, in ascending order of columns
  unsigned last_ = 0;                                     // the last wanted column; 0 for all columns
  unsigned seen_ = 0;
  bool more_ = false;
  std::size_t first_watched_ = 0, last_watched_ = 0;
  std::uint64_t trimmed_fields_ = 0;
  std::vector<std::string_view> fields_;
  std::deque<std::string> copies_;
};

/// The delimiter as error messages write it: "commas", "tabs", "blanks", ...
std::string delimiter_text(const record_syntax& syntax);

/// The maximum number of records that are used to determine the layout of a table.
inline constexpr std::size_t most_first_records = 100;

/// The first records of a text, without comments and blank lines.
struct first_records {
  std::vector<std::string_view> records;
  std::size_t first_at = 0;      ///< offset of the first record in the text; the size of the text if there is none
  std::size_t behind_first = 0;  ///< offset of the text after the first record
  bool complete = false;         ///< true if there are two records, or the text is whole

  [[nodiscard]] bool empty() const noexcept { return records.empty(); }
};

/// Finds the first records of `text`, at most `most`. `whole` tells that nothing follows `text`; otherwise a record whose end is not in
/// `text` is left out.
first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole, std::size_t most = most_first_records);

}  // namespace copse::io
