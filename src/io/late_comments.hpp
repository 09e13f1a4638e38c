// Handles lines that begin with a comment mark. Above the first record they are comments. Below it, a line that splits like a record may be
// a record, such as `#covid,#mask`; it is refused unless the options say which marks begin comments.
#pragma once
#include "io/table_layout.hpp"

#include <copse/errors.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// True if a line that begins with a comment mark, such as #, has as many fields as a record (`fields`), and so may be one. False if blanks
/// separate the fields and the first field consists of marks only, as in `# a b`: that is a comment.
bool splits_like_record(std::string_view line, const record_syntax& syntax, unsigned fields);

/// Suggestions for the user about a line that may be a comment or a record.
std::vector<remedy> remedies_for_comments(const std::string& marks);

/// Counts the lines below the first record of a table that begin with a comment mark, and has those refused of which the options do not say
/// whether they are comments or records. Each thread needs its own.
class late_comments {
public:
  /// `named` is true if ids are strings. If it is false, a line whose columns of ids hold no integers must be a comment.
  late_comments(const table_layout& layout, bool named, const read_options& options)
      : layout_{layout}, named_{named}, decided_{options.comments.has_value()} {}

  /// Counts a line below the first record that begins with a comment mark. If the line may also be a record, such as `#covid,#mask`, and
  /// the options name no comment marks, calls `refuse(found, expected, remedies)`, because either way of reading it would be a guess.
  template <class Refuse>
  void take(std::string_view line, Refuse refuse) {
    ++count_;
    if (decided_ || !may_be_record(line)) return;
    const std::string mark{line.substr(line.find_first_not_of(" \t"), 1)};
    refuse("a line that begins with " + mark + " and splits like a record", "comments above the first record only",
           remedies_for_comments(layout_.syntax.comments));
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
  [[nodiscard]] bool may_be_record(std::string_view line) const;

  const table_layout& layout_;
  bool named_;
  bool decided_;
  std::uint64_t count_ = 0;
};

}  // namespace copse::io
