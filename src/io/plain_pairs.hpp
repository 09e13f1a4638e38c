// Lines that are two names in ASCII with one separator between them, as most lines of most lists of strings are: they need none of the
// rules for quotes, blanks, further columns and other line ends.
#pragma once
#include "io/fields.hpp"
#include "io/records.hpp"

#include <copse/io.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace copse::io {

/// Sets 0x80 in the first byte of `word` that ends a field: one below '!', not ASCII, or equal to the delimiter or a quote. No bit is set
/// in any byte before it.
inline std::uint64_t ends_of_field(std::uint64_t word, char delimiter) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101, high = 0x80 * each;
  const auto equal = [word](char c) {
    const std::uint64_t differs = word ^ (static_cast<unsigned char>(c) * each);
    return (differs - each) & ~differs;
  };
  return (((word - '!' * each) & ~word) | word | equal(delimiter) | equal('"')) & high;
}

/// The bytes from `at` up to the first one that may end a field; empty if the text ends within the next word of eight bytes.
inline std::string_view plain_field(const char* at, const char* end, char delimiter) noexcept {
  for (const char* next = at; end - next >= 8; next += 8) {
    if (const std::uint64_t stop = ends_of_field(load_word(next), delimiter); stop != 0) {
      return {at, static_cast<std::size_t>(next - at) + static_cast<std::size_t>(std::countr_zero(stop)) / 8};
    }
  }
  return {};
}

/// The names in the first line of `text`, which is not empty, if that line is two ASCII names with one separator between them, and no
/// comment. Eight bytes are tested at a time. Everything else (blanks around fields, more columns, quotes, missing ids, other line ends,
/// the last bytes of the text) is left to the general rules.
inline std::optional<named_edge> plain_pair(std::string_view text, const record_syntax& syntax) noexcept {
  if (syntax.comments.find(text[0]) != std::string::npos) return std::nullopt;
  const char* const end = text.data() + text.size();
  const char delimiter = syntax.blanks ? ' ' : syntax.delimiter;
  const std::string_view u = plain_field(text.data(), end, delimiter);
  const char* at = u.data() + u.size();
  if (u.empty() || !syntax.separates(*at++)) return std::nullopt;
  const std::string_view v = plain_field(at, end, delimiter);
  at = v.data() + v.size();
  if (v.empty() || *at != '\n') return std::nullopt;
  return named_edge{u, v};
}

/// Cuts the line that ends with the pair off `text`, which begins with that line.
inline void cut_behind(const named_edge& pair, std::string_view& text) noexcept {
  text.remove_prefix(static_cast<std::size_t>(pair.v.data() + pair.v.size() + 1 - text.data()));
}

}  // namespace copse::io
