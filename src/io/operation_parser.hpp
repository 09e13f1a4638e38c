// One worker's part of a stream in text: whole records become operations.
#pragma once
#include "io/fields.hpp"
#include "io/late_comments.hpp"
#include "io/request.hpp"
#include "io/stream_layout.hpp"
#include "io/weight_rule.hpp"

#include <copse/operations.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace copse::io {

inline std::string ids_up_to(std::uint64_t largest) {
  return largest == UINT64_MAX ? std::string{any_integer_id} : "an id from 0 to " + std::to_string(largest);
}

/// The facts about a stream that all its workers know.
struct stream_rules {
  const std::string& name;
  const stream_layout& layout;
  const read_request& options;
  const weight_rule& weights;
  std::uint64_t largest_id;
  bool keeps_weights;
};

class operation_parser {
public:
  /// Keeps a reference to the rules.
  explicit operation_parser(const stream_rules& rules);

  /// Adds the records of `text`, which ends with a whole record; its first line has the number `first_line`. Throws input_error for the
  /// first bad one; those before it have been added.
  void parse(std::string_view text, std::uint64_t first_line, operation_batch& to);
  /// How many line ends the last text had, where it was parsed to its end.
  [[nodiscard]] std::uint64_t line_ends() const noexcept { return next_line_ - first_line_; }

  /// The number of lines of the last text before its first record with an id that is negative, or above INT64_MAX. Precondition: there is
  /// one.
  [[nodiscard]] std::uint64_t sign_line(bool negative) const noexcept { return sign_lines_[negative ? 1 : 0] - first_line_; }

  /// For one that goes on behind a record, or a header: comments come late.
  void see_record() noexcept { any_record_ = true; }
  [[nodiscard]] bool any_record() const noexcept { return any_record_; }
  [[nodiscard]] std::uint64_t late_comments_seen() const noexcept { return late_comments_.count(); }
  [[nodiscard]] std::uint64_t trimmed_fields() const noexcept { return inserts_.trimmed_fields() + queries_.trimmed_fields(); }
  [[nodiscard]] const weight_rule::tally& weighed() const noexcept { return weighed_; }

private:
  /// Adds the record at the front of `text` and cuts it off, if it is a line of two names in ASCII that nothing else has to be known of.
  [[nodiscard]] bool take_simple(std::string_view& text, operation_batch& to);
  [[nodiscard]] bool is_record(std::string_view record);
  void add(std::string_view text, operation_batch& to);
  [[nodiscard]] bool is_missing(std::string_view field) const;
  [[nodiscard]] judged_weight judged(std::string_view field) const;
  [[nodiscard]] std::string_view name_in(std::string_view field) const;
  [[nodiscard]] std::string_view name_of(std::span<const std::string_view> parts, std::string& joined) const;
  [[nodiscard]] integer_id id_in(std::string_view field) const;
  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const;
  [[noreturn]] void refuse_fault(const field_picker& fields, record_fault fault, std::string_view whole, std::string_view text) const;

  const stream_rules& rules_;
  const stream_layout& layout_;
  const read_request& options_;
  field_picker inserts_, queries_;  // which columns of them
  bool any_simple_;                 // false if every record has to be looked at by the general rules
  late_comments late_comments_;
  weight_rule::tally weighed_;
  std::array<std::string, 2> joined_;          // the ids of a record, where they have several columns
  std::array<std::uint64_t, 2> sign_lines_{};  // where the first large id and the first negative one stand
  std::uint64_t first_line_ = 1, line_ = 1, next_line_ = 1;
  bool any_record_ = false;  // has been read, or a header
};

}  // namespace copse::io
