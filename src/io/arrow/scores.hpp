// Which scores reach a threshold. Each type of score compares as its numbers are: floats of 16 and 32 bits with the threshold rounded once
// to their type, integers and decimals with its decimal text, exactly.
#pragma once
#include <copse/weighted_graph.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "io/arrow/column.hpp"

namespace copse::arrow {

/// A threshold as the caller wrote it: a decimal number, or an infinity.
class score_threshold {
public:
  /// Throws usage_error for a text that is no number.
  explicit score_threshold(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The nearest double.
  [[nodiscard]] double number() const noexcept { return number_; }
  /// The smallest integer that is not below it, once multiplied by 10^scale; the largest or smallest that there is for one out of range.
  [[nodiscard]] int128 least(int scale) const;

private:
  std::string text_;
  double number_ = 0;
};

/// The threshold of a call, if it has one.
inline std::optional<score_threshold> threshold_of(const std::optional<std::string>& text) {
  return text ? std::optional<score_threshold>{*text} : std::nullopt;
}

/// How precise the scores of a column are.
[[nodiscard]] weight_precision precision_of(const column_type& type) noexcept;

/// A threshold for the scores of one column.
class score_floor {
public:
  score_floor(const score_threshold& threshold, const column_type& type)
      : text_{threshold.text()}, number_{rounded_threshold(threshold.number(), precision_of(type))}, whole_{threshold.least(type.scale)} {}

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// For columns of floats: the number that scores are compared with.
  [[nodiscard]] double number() const noexcept { return number_; }
  /// Precondition: the row is no null.
  [[nodiscard]] bool is_reached(const column_rows& scores, std::int64_t row) const noexcept {
    return scores.holds_whole_numbers() ? scores.whole_number(row) >= whole_ : scores.score(row) >= number_;
  }

private:
  std::string text_;
  double number_;
  int128 whole_;
};

}  // namespace copse::arrow
