// Parses one worker's share of a stream in text into a batch of operations.
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

/// What all workers of a stream need to know about it.
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

  /// Adds the records of `text` to the batch. `text` must end with a whole record, and its first line has the number `first_line`. Throws
  /// input_error for the first bad record; the records before it have been added.
  void parse(std::string_view text, std::uint64_t first_line, operation_batch& to);
  /// The number of line ends in the last text. Precondition: it was parsed to its end.
  [[nodiscard]] std::uint64_t line_ends() const noexcept { return next_line_ - first_line_; }

  /// The number of lines in the last text above its first record with a negative id, or with an id above INT64_MAX. Precondition: there is
  /// one.
  [[nodiscard]] std::uint64_t sign_line(bool negative) const noexcept { return sign_lines_[negative ? 1 : 0] - first_line_; }

  /// Notes that a record or a header was already read elsewhere, so that comments from here on count as comments below the first record.
  void see_record() noexcept { any_record_ = true; }
  [[nodiscard]] bool any_record() const noexcept { return any_record_; }
  [[nodiscard]] std::uint64_t late_comments_seen() const noexcept { return late_comments_.count(); }
  [[nodiscard]] std::uint64_t trimmed_fields() const noexcept { return inserts_.trimmed_fields() + queries_.trimmed_fields(); }
  [[nodiscard]] const weight_rule::tally& weighed() const noexcept { return weighed_; }

private:
  /// If the first line of `text` is a plain_pair(), with or without a sign before it, adds it to the batch and cuts the line off.
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
  field_picker inserts_, queries_;  // pick the columns of inserts and of queries
  bool any_simple_;                 // false if the layout rules out the fast path for simple lines, take_simple()
  late_comments late_comments_;
  weight_rule::tally weighed_;
  std::array<std::string, 2> joined_;          // the ids of the current record, if they have several columns
  std::array<std::uint64_t, 2> sign_lines_{};  // the lines of the first id above INT64_MAX and of the first negative one
  std::uint64_t first_line_ = 1, line_ = 1, next_line_ = 1;
  bool any_record_ = false;  // true once a record or a header has been read
};

}  // namespace copse::io
