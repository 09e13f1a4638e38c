// A parsed generator spec, `family:key=value,...`, in which every value is checked. Every fault is a usage_error that names the family's
// parameters.
#pragma once
#include <copse/generate.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace copse::gen {

/// A decimal fraction of a spec (a=.57), stored exactly as an integer over 10^18. No floating point is used, so that all machines round in
/// the same way.
class fraction {
public:
  constexpr fraction() = default;
  /// Parses texts such as `0`, `1`, `.57` and `0.570`, with at most 18 digits after the point. Returns nothing for other texts (with a sign
  /// or an exponent) and for values above 1.
  static std::optional<fraction> parse(std::string_view text) noexcept;

  /// floor(value * 2^bits), bits <= 63: `(word >> (64 - bits)) < scaled(bits)` happens with this probability.
  [[nodiscard]] std::uint64_t scaled(unsigned bits) const noexcept;
  [[nodiscard]] bool is_zero() const noexcept { return numerator_ == 0; }
  [[nodiscard]] bool above_half() const noexcept { return numerator_ > unit / 2; }
  /// 1 - value.
  [[nodiscard]] fraction complement() const noexcept { return fraction{unit - numerator_}; }
  /// Returns the exact sum of this fraction and `other`; nothing if it is above 1.
  [[nodiscard]] std::optional<fraction> plus(fraction other) const noexcept;
  /// floor(value * whole).
  [[nodiscard]] std::uint64_t of(std::uint64_t whole) const noexcept;
  /// The `bits` binary digits of the value that follow its first `skip` digits: floor(value * 2^(skip + bits)) mod 2^64.
  [[nodiscard]] std::uint64_t digits(unsigned skip, unsigned bits) const noexcept;

private:
  static constexpr std::uint64_t unit = 1'000'000'000'000'000'000;  // 10^18
  constexpr explicit fraction(std::uint64_t numerator) noexcept : numerator_{numerator} {}

  std::uint64_t numerator_ = 0;  // the denominator is `unit`
};

class spec {
public:
  /// Splits `text` and checks its keys against the family. Throws usage_error.
  spec(std::string_view text, const family& described);

  [[nodiscard]] bool has(std::string_view name) const noexcept { return values_.contains(name); }
  /// The value of a parameter, or its default; throws usage_error unless it is an integer from low to high.
  [[nodiscard]] std::uint64_t integer(std::string_view name, std::uint64_t low, std::uint64_t high) const;
  /// The value of a parameter, or its default; throws usage_error unless it is a decimal fraction from 0 to 1.
  [[nodiscard]] fraction share(std::string_view name) const;
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] bool shuffle() const { return shuffle_; }

  /// Throws usage_error `SPEC: found X, expected Y`.
  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const;

private:
  [[nodiscard]] std::string_view value_of(std::string_view name) const;

  std::string text_;
  const family& family_;
  std::map<std::string, std::string, std::less<>> values_;
  std::uint64_t seed_ = 1;
  bool shuffle_ = false;
};

}  // namespace copse::gen
