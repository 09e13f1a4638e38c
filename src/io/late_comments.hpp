// Lines that begin with a mark of comments. Above the first record they are comments. Behind it, one that splits like a record may as well
// be one, as `#covid,#mask` is, and is refused unless the caller says what begins a comment.
#pragma once
#include "io/table_layout.hpp"

#include <copse/errors.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// Has a line that begins with a mark as many fields as a record, and an id where the mark stands? A mark by itself, between blanks, begins
/// a remark.
bool splits_like_record(std::string_view line, const record_syntax& syntax, unsigned fields);

/// What to do about a line that may be a comment or a record.
std::vector<remedy> remedies_for_comments(const std::string& marks);

/// The comments behind the first record of one table, as one thread sees them.
class late_comments {
public:
  /// `named`: ids are strings; if they are integers, a line without integers is no record.
  late_comments(const table_layout& layout, bool named, const read_options& options)
      : layout_{layout}, named_{named}, decided_{options.comments.has_value()} {}

  /// Counts the line. Calls `refuse(found, expected, remedies)` if it may be a record.
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
