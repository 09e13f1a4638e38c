// Decides which scores reach a threshold. Floats of 16 and 32 bits are compared with the threshold rounded to their own type; integers and
// decimals are compared with its decimal text, exactly.
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
  /// Throws usage_error for a text that is not a number.
  explicit score_threshold(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The threshold as the nearest double.
  [[nodiscard]] double number() const noexcept { return number_; }
  /// The smallest integer that is not below the threshold times 10^scale, or the limit of int128 if that is out of range.
  [[nodiscard]] int128 least(int scale) const;

private:
  std::string text_;
  double number_ = 0;
};

/// The threshold that the text stands for; nullopt without a text.
inline std::optional<score_threshold> threshold_of(const std::optional<std::string>& text) {
  return text ? std::optional<score_threshold>{*text} : std::nullopt;
}

/// The precision of the scores in a column of this type.
[[nodiscard]] weight_precision precision_of(const column_type& type) noexcept;

/// A threshold converted for comparisons with the scores of one column.
class score_floor {
public:
  score_floor(const score_threshold& threshold, const column_type& type)
      : text_{threshold.text()}, number_{rounded_threshold(threshold.number(), precision_of(type))}, whole_{threshold.least(type.scale)} {}

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The number that scores are compared with in columns of floats.
  [[nodiscard]] double number() const noexcept { return number_; }
  /// True if the score of a row is at least the threshold. Precondition: the row is not null.
  [[nodiscard]] bool is_reached(const column_rows& scores, std::int64_t row) const noexcept {
    return scores.holds_whole_numbers() ? scores.whole_number(row) >= whole_ : scores.score(row) >= number_;
  }

private:
  std::string text_;
  double number_;
  int128 whole_;
};

}  // namespace copse::arrow
