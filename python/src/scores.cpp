#include "scores.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace copse::python {
namespace {

constexpr __int128 largest = static_cast<__int128>(~static_cast<unsigned __int128>(0) >> 1);

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

}  // namespace

score_threshold::score_threshold(std::string text) : text_{std::move(text)} {
  const char* const end = text_.data() + text_.size();
  const auto [stop, failure] = std::from_chars(text_.data(), end, number_);
  if (failure == std::errc::result_out_of_range && stop == end) number_ = std::strtod(text_.c_str(), nullptr);
  if (failure == std::errc::invalid_argument || stop != end || std::isnan(number_)) {
    throw usage_error{"threshold: found '" + text_ + "', expected a number"};
  }
}

__int128 score_threshold::least(int scale) const {
  const __int128 beyond = std::signbit(number_) ? -largest : largest;
  if (std::isinf(number_) && text_.find_first_of("0123456789") == std::string::npos) return beyond;
  const decimal_digits number = digits_of(text_);
  // The digits before the point of number x 10^scale, and whether others that are not zero follow.
  const long long before_point = static_cast<long long>(number.digits.size()) + number.exponent + scale;
  __int128 whole = 0;
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

}  // namespace copse::python
