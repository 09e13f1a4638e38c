// Decimal fractions of a spec (a=.57), held exactly: digits over a power of ten. No floating point, so no machine rounds them differently.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace copse::gen {

class fraction {
public:
  constexpr fraction() = default;
  /// From `0`, `1`, `.57`, `0.570`: digits, at most 18 of them after the point. Nothing else (no sign, no exponent), and nothing above 1.
  static std::optional<fraction> parse(std::string_view text) noexcept;

  /// floor(value * 2^bits), bits <= 63: `(word >> (64 - bits)) < scaled(bits)` happens with this probability.
  [[nodiscard]] std::uint64_t scaled(unsigned bits) const noexcept;
  [[nodiscard]] bool is_zero() const noexcept { return numerator_ == 0; }
  [[nodiscard]] bool above_half() const noexcept { return numerator_ > unit / 2; }
  /// 1 - value.
  [[nodiscard]] fraction complement() const noexcept { return fraction{unit - numerator_}; }
  /// The exact sum; empty when it is above 1.
  [[nodiscard]] std::optional<fraction> plus(fraction other) const noexcept;
  /// The first `bits` binary digits after `skip` leading ones: floor(value * 2^(skip + bits)) mod 2^64.
  [[nodiscard]] std::uint64_t digits(unsigned skip, unsigned bits) const noexcept;

private:
  static constexpr std::uint64_t unit = 1'000'000'000'000'000'000;  // 10^18
  constexpr explicit fraction(std::uint64_t numerator) noexcept : numerator_{numerator} {}

  std::uint64_t numerator_ = 0;  // of unit
};

}  // namespace copse::gen
