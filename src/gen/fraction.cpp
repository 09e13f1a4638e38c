#include <gen/fraction.hpp>

namespace copse::gen {

std::optional<fraction> fraction::parse(std::string_view text) noexcept {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view decimals = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (whole.empty() && decimals.empty()) return std::nullopt;
  if (decimals.size() > 18) return std::nullopt;
  std::uint64_t units = 0;
  for (const char digit : whole) {
    if (digit < '0' || digit > '9') return std::nullopt;
    units = units * 10 + static_cast<std::uint64_t>(digit - '0');
    if (units > 1) return std::nullopt;
  }
  std::uint64_t numerator = units * unit;
  std::uint64_t place = unit;
  for (const char digit : decimals) {
    if (digit < '0' || digit > '9') return std::nullopt;
    place /= 10;
    numerator += place * static_cast<std::uint64_t>(digit - '0');
  }
  if (numerator > unit) return std::nullopt;
  return fraction{numerator};
}

std::optional<fraction> fraction::plus(fraction other) const noexcept {
  if (other.numerator_ > unit - numerator_) return std::nullopt;
  return fraction{numerator_ + other.numerator_};
}

std::uint64_t fraction::scaled(unsigned bits) const noexcept { return digits(0, bits); }

// Long division, one binary digit per step: the remainder is below 10^18, so doubling it stays far below 2^64.
std::uint64_t fraction::digits(unsigned skip, unsigned bits) const noexcept {
  std::uint64_t remainder = numerator_;
  std::uint64_t value = 0;
  if (remainder == unit) {
    value = 1;
    remainder = 0;
  }
  for (unsigned step = 0; step < skip + bits; ++step) {
    remainder *= 2;
    value = value * 2 + (remainder >= unit ? 1 : 0);
    if (remainder >= unit) remainder -= unit;
  }
  return value;
}

}  // namespace copse::gen
