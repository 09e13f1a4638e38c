#include "io/arrow/scores.hpp"

#include <copse/errors.hpp>
#include <copse/weighted_graph.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace copse::arrow {
namespace {

constexpr int128 largest = static_cast<int128>(~static_cast<uint128>(0) >> 1);

/// A decimal number as its digits, without a point: digits x 10^exponent.
struct decimal_digits {
  bool negative = false;
  std::string digits;
  long long exponent = 0;
};

decimal_digits digits_of(std::string_view text) {
  decimal_digits found;
  if (text.starts_with('-') || text.starts_with('+')) {
    found.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  if (mark != text.size()) {
    std::string_view power = text.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    std::from_chars(power.data(), power.data() + power.size(), found.exponent);
  }
  bool behind_point = false;
  for (const char c : text.substr(0, mark)) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    found.digits += c;
    found.exponent -= behind_point ? 1 : 0;
  }
  return found;
}

/// Converts an IEEE 754 half-precision number (16 bits).
double from_half(std::uint16_t bits) noexcept {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (bits >> 15) != 0 ? -size : size;
}

}  // namespace

int128 column_rows::whole_number(std::int64_t row) const noexcept {
  const std::int64_t at = first_ + row;
  if (type_->values == layout::uint64) return element<std::uint64_t>(at);
  if (type_->values != layout::decimal) return raw_integer(at);
  const auto* bytes = static_cast<const unsigned char*>(array_->buffers[1]) + static_cast<std::size_t>(at) * type_->width;
  if (type_->width == 16) {
    int128 value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  std::int64_t value = 0;
  std::memcpy(&value, bytes, type_->width);
  return type_->width == 4 ? static_cast<std::int32_t>(value) : value;
}

double column_rows::decimal(std::int64_t row) const noexcept {
  const int128 value = whole_number(row);
  const auto low = static_cast<std::int64_t>(value);
  // Most numbers fit 64 bits, which are converted faster than 128. Up to 2^53 and a scale of 22, only the division rounds, so the score is
  // the one that a parser would read from the decimal as text.
  const double number = value == low ? static_cast<double>(low) : static_cast<double>(value);
  return number / std::pow(10.0, type_->scale);
}

double column_rows::score(std::int64_t row) const noexcept {
  if (type_->values == layout::decimal) return decimal(row);
  if (type_->values == layout::float16) return from_half(element<std::uint16_t>(first_ + row));
  if (type_->values == layout::float32) return element<float>(first_ + row);
  if (type_->values == layout::float64) return element<double>(first_ + row);
  if (type_->values == layout::uint64) return largest_double_up_to(element<std::uint64_t>(first_ + row));
  return largest_double_up_to(raw_integer(first_ + row));
}

score_threshold::score_threshold(std::string text) : text_{std::move(text)} {
  const char* const end = text_.data() + text_.size();
  const auto [stop, failure] = std::from_chars(text_.data(), end, number_);
  if (failure == std::errc::result_out_of_range && stop == end) number_ = std::strtod(text_.c_str(), nullptr);
  if (failure == std::errc::invalid_argument || stop != end || std::isnan(number_)) {
    throw usage_error{"threshold must be a number, not '" + text_ + "'"};
  }
}

int128 score_threshold::least(int scale) const {
  const int128 beyond = std::signbit(number_) ? -largest : largest;
  if (std::isinf(number_) && text_.find_first_of("0123456789") == std::string::npos) return beyond;
  const decimal_digits number = digits_of(text_);
  // Number of digits before the point in number x 10^scale.
  const long long before_point = static_cast<long long>(number.digits.size()) + number.exponent + scale;
  int128 whole = 0;
  for (long long i = 0; i < before_point; ++i) {
    const bool written = i < static_cast<long long>(number.digits.size());
    if (whole > (largest - 9) / 10) return beyond;
    if (!written && whole == 0) break;
    whole = 10 * whole + (written ? number.digits[static_cast<std::size_t>(i)] - '0' : 0);
  }
  const auto behind = static_cast<std::size_t>(std::clamp<long long>(before_point, 0, static_cast<long long>(number.digits.size())));
  const bool more = number.digits.find_first_not_of('0', behind) != std::string::npos;
  return number.negative ? -whole : whole + (more ? 1 : 0);
}

weight_precision precision_of(const column_type& type) noexcept {
  if (type.values == layout::float16) return weight_precision::half;
  return type.values == layout::float32 ? weight_precision::single : weight_precision::full;
}

}  // namespace copse::arrow
