#include <gen/spec.hpp>

#include <copse/errors.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace copse::gen {
namespace {

std::optional<std::uint64_t> parse_integer(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string quoted(std::string_view text) { return std::string(1, '\'').append(text).append(1, '\''); }

std::string parameter_names(const family& described) {
  std::string names;
  for (const parameter& p : described.parameters) names.append(p.name).append(", ");
  return names + "seed, shuffle";
}

}  // namespace

spec::spec(std::string_view text, const family& described) : text_{text}, family_{described} {
  const std::string known = parameter_names(described);
  const std::size_t colon = text.find(':');
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) refuse(quoted(item), "key=value with a key of " + known);
    const std::string_view key = item.substr(0, equals);
    const bool common = key == "seed" || key == "shuffle";
    if (!common && std::ranges::none_of(described.parameters, [key](const parameter& p) { return p.name == key; })) {
      refuse("parameter " + quoted(key), "one of " + known);
    }
    if (!values_.emplace(key, item.substr(equals + 1)).second) refuse("parameter " + quoted(key) + " twice", "it once");
  }
  if (has("seed")) seed_ = integer("seed", 0, UINT64_MAX);
  if (has("shuffle")) shuffle_ = integer("shuffle", 0, 1) == 1;
}

std::string_view spec::value_of(std::string_view name) const {
  const auto at = values_.find(name);
  if (at != values_.end()) return at->second;
  const auto known = std::ranges::find(family_.parameters, name, &parameter::name);
  if (known == family_.parameters.end() || known->fallback.empty() || known->fallback == "none") {
    refuse("no parameter " + quoted(name), "a value for it (parameters are " + parameter_names(family_) + ")");
  }
  return known->fallback;
}

std::uint64_t spec::integer(std::string_view name, std::uint64_t low, std::uint64_t high) const {
  const std::string_view text = value_of(name);
  const std::optional<std::uint64_t> value = parse_integer(text);
  if (!value || *value < low || *value > high) {
    refuse(std::string{name}.append("=").append(text), "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return *value;
}

fraction spec::share(std::string_view name) const {
  const std::string_view text = value_of(name);
  const std::optional<fraction> value = fraction::parse(text);
  if (!value) refuse(std::string{name}.append("=").append(text), "a decimal fraction from 0 to 1 with at most 18 decimals");
  return *value;
}

void spec::refuse(std::string_view found, std::string_view expected) const {
  throw usage_error{std::string{text_}.append(": found ").append(found).append(", expected ").append(expected)};
}

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

std::uint64_t fraction::of(std::uint64_t whole) const noexcept {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<wide>(numerator_) * whole / unit);
}

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
