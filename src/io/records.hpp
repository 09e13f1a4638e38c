// Records of a table in text: where they end and what their fields are. This is all that knows of delimiters, quotes and line ends; the
// readers of edge lists, of streams and of any other table stand on it.
//
// A record is a line, and a line ends with LF, CRLF or CR. With quotes (RFC 4180), a field that begins with a quote goes on to the quote
// that closes it, and may hold delimiters, line ends and doubled quotes on the way; so a record may be several lines. A quote inside a
// field that does not begin with one is a character like any other. Blanks before an opening quote and behind a closing one are dropped.
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
  char delimiter = ',';  ///< one byte between two fields, which may be empty
  bool blanks = true;    ///< instead: runs of spaces and tabs between fields, which are never empty
  bool quotes = false;
  bool trimmed = true;     ///< blanks around a field without quotes are not part of it; false: they are, whatever is read
  std::string comments{};  ///< a line that begins with one of these, blanks before it aside, is no record

  [[nodiscard]] bool separates(char c) const noexcept { return blanks ? c == ' ' || c == '\t' : c == delimiter; }
  /// A blank that does not separate.
  [[nodiscard]] bool is_padding(char c) const noexcept { return (c == ' ' || c == '\t') && !separates(c); }
};

/// The most bytes of a field in quotes. Without a limit, one stray quote would make the rest of a file one field.
inline constexpr std::size_t longest_quoted_field = std::size_t{1} << 20;

/// The first LF or CR of [at, end), or `end`.
const char* find_line_end(const char* at, const char* end) noexcept;
/// How many line ends there are, CRLF being one.
std::uint64_t count_line_ends(std::string_view text) noexcept;
/// Cuts the first line (without its line end) off `rest`, which is not empty.
std::string_view cut_line(std::string_view& rest) noexcept;

/// The offset behind the end of the first line of `text`; npos when its end is not there. `whole`: nothing comes behind `text`, and
/// its last line may lack an end. (Otherwise a CR at the very end is not the end of a line yet: LF may follow.)
std::size_t end_of_line(std::string_view text, bool whole) noexcept;
/// The offset behind the end of the first record, likewise. Where a quote is not closed within longest_quoted_field, the record is cut
/// there.
std::size_t end_of_record(std::string_view text, const record_syntax& syntax, bool whole) noexcept;
/// The end of the first record that ends `least` bytes or more behind the front of `text`; npos when it is not there.
std::size_t end_of_records(std::string_view text, const record_syntax& syntax, std::size_t least, bool whole) noexcept;
/// The end of the last record of `text`, which goes on; npos when no record ends in it.
std::size_t last_end_of_records(std::string_view text, const record_syntax& syntax) noexcept;

/// Cuts the first record (without its line end) off `rest`, which is not empty and holds whole records. Of one with a quote that is not
/// closed it gives what begins there, so that a field_picker for any columns refuses it.
std::string_view cut_record(std::string_view& rest, const record_syntax& syntax) noexcept;
/// True if the line is empty or consists of blanks that separate nothing.
bool is_blank_record(std::string_view record, const record_syntax& syntax) noexcept;
bool is_comment(std::string_view record, const record_syntax& syntax) noexcept;

enum class record_fault : std::uint8_t { none, missing_column, open_quote, text_behind_quote };

/// Takes the fields of some columns out of records. One for each thread: it holds the fields that needed a copy.
class field_picker {
public:
  /// `columns` are counted from 1, in any order; field i is that of columns[i]. None: all columns, however many a record has.
  field_picker(const record_syntax& syntax, std::span<const unsigned> columns);

  /// The views are valid as long as the record is and until forget().
  record_fault pick(std::string_view record);
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept { return fields_[i]; }
  [[nodiscard]] const std::vector<std::string_view>& fields() const noexcept { return fields_; }
  /// Columns seen in the last record; at most the last one that was asked for.
  [[nodiscard]] unsigned seen() const noexcept { return seen_; }
  /// True if the last record has columns behind the last one that was asked for.
  [[nodiscard]] bool has_more() const noexcept { return more_; }
  /// Lets the fields in places [first, last) be counted that had blanks around them, which were taken off.
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

  /// What is wrong with a record, `found` and `expected` of an error.
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
  std::vector<std::pair<unsigned, std::size_t>> wanted_;  // column and place in fields_, ascending by column
  unsigned last_ = 0;                                     // 0: all columns
  unsigned seen_ = 0;
  bool more_ = false;
  std::size_t first_watched_ = 0, last_watched_ = 0;
  std::uint64_t trimmed_fields_ = 0;
  std::vector<std::string_view> fields_;
  std::deque<std::string> copies_;
};

/// How error messages call the delimiter: "commas", "tabs", "blanks", ...
std::string delimiter_text(const record_syntax& syntax);

/// How many of the first records of a table are looked at, at most, to find its layout.
inline constexpr std::size_t most_first_records = 100;

/// The first records of a text, comments and blank lines passed over.
struct first_records {
  std::vector<std::string_view> records;
  std::size_t first_at = 0;      ///< where the first one begins in the text; without a record, its end
  std::size_t behind_first = 0;  ///< where what comes behind it begins
  bool complete = false;         ///< there are two, or the text ends

  [[nodiscard]] bool empty() const noexcept { return records.empty(); }
};

/// `whole`: nothing comes behind `text`. Records that do not end in it are left out.
first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole, std::size_t most = most_first_records);

}  // namespace copse::io
