// A generator spec taken apart: `family:key=value,...`, every value checked, every fault a usage_error that names the family's parameters.
#pragma once
#include <copse/generate.hpp>
#include <gen/fraction.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace copse::gen {

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
