#include "io/fields.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace copse::io {
namespace {

/// The word without a leading plus sign; "+-1" keeps it, because that is not a number.
std::string_view without_plus(std::string_view word) noexcept {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  return word;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view cut_word(std::string_view& rest) noexcept {
  std::size_t first = 0;
  while (first < rest.size() && is_blank(rest[first])) ++first;
  std::size_t last = first;
  while (last < rest.size() && !is_blank(rest[last])) ++last;
  const std::string_view word = rest.substr(first, last - first);
  rest.remove_prefix(last);
  return word;
}

bool is_blank_or_comment(std::string_view line, std::string_view marks) noexcept {
  std::size_t first = 0;
  while (first < line.size() && is_blank(line[first])) ++first;
  return first == line.size() || marks.find(line[first]) != std::string_view::npos;
}

std::optional<std::uint64_t> integer(std::string_view word) noexcept {
  std::uint64_t value = 0;
  if (!word.empty() && word.size() <= std::numeric_limits<std::uint64_t>::digits10) {  // so few digits cannot overflow
    for (const char c : word) {
      if (!is_digit(c)) return std::nullopt;
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
  }
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<integer_id> signed_integer(std::string_view word) noexcept {
  const bool minus = word.starts_with('-');
  const auto size = integer(minus ? word.substr(1) : word);
  if (!size) return std::nullopt;
  if (!minus) return integer_id{*size, false};
  if (*size > std::uint64_t{1} << 63) return std::nullopt;
  return integer_id{0 - *size, *size != 0};
}

std::optional<std::uint64_t> find(const vertex_names& names, const integer_id& id) noexcept {
  if (has_sign_bit(id.word) && id.negative != names.is_signed()) return std::nullopt;
  return names.find(id.word);
}

bool looks_numeric(std::string_view word) noexcept {
  word = without_plus(word);
  for (const char c : word) {  // rejects nan and infinity, which may well be string ids
    if (!is_digit(c) && std::string_view{"+-.eE"}.find(c) == std::string_view::npos) return false;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error != std::errc::invalid_argument && end == word.data() + word.size() && !word.empty();
}

bool has_leading_zeros(std::string_view id) noexcept {
  if (id == "-0") return true;
  if (id.starts_with('-')) id.remove_prefix(1);
  return id.size() > 1 && id.front() == '0' && std::all_of(id.begin(), id.end(), is_digit);
}

std::string describe_not_integer(std::string_view word) {
  if (word.empty()) return "an empty field";
  if (!looks_numeric(word)) return quoted(word);
  const bool whole = word.find_first_of(".eE") == std::string_view::npos;
  if (!whole) return "the fraction " + quoted(word);
  if (word.starts_with('-')) return "the negative number " + quoted(word);
  return word.starts_with('+') ? quoted(word) : "the too large number " + quoted(word);
}

std::optional<double> real(std::string_view word) {
  word = without_plus(word);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) return std::nullopt;
  // For numbers out of range, strtod returns zero or infinity, which compare with thresholds as the exact number would.
  const double weight = error == std::errc{} ? value : std::strtod(std::string{word}.c_str(), nullptr);
  return weight + 0.0;  // turns -0.0 into 0.0, so that zero is written in one way only
}

bool is_ascii(std::string_view bytes) noexcept {
  unsigned char any = 0;
  for (const char c : bytes) any |= static_cast<unsigned char>(c);
  return any < 0x80;
}

bool is_utf8(std::string_view text) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  while (at != end) {
    if (end - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      if ((word & 0x8080808080808080) == 0) {
        at += 8;
        continue;
      }
    }
    const unsigned first = *at++;
    if (first < 0x80) continue;
    const int more = first >= 0xF5 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    if (more == 0 || end - at < more) return false;
    // These bounds of the second byte rule out overlong forms, surrogates and code points above U+10FFFF.
    const unsigned low = first == 0xE0 ? 0xA0u : first == 0xF0 ? 0x90u : 0x80u;
    const unsigned high = first == 0xED ? 0x9Fu : first == 0xF4 ? 0x8Fu : 0xBFu;
    if (*at < low || *at > high) return false;
    for (int i = 1; i < more; ++i) {
      if (at[i] < 0x80 || at[i] > 0xBF) return false;
    }
    at += more;
  }
  return true;
}

std::string lower(std::string_view word) {
  std::string text{word};
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string shown = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      shown += c;
    } else {
      shown.append("\\x").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    }
  }
  return shown.append(text.size() > longest ? "...\"" : "\"");
}

}  // namespace copse::io
