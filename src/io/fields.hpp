// Parses the words of a line: numbers with descriptions of their faults, weights and strings, and quotes them for error messages.
#pragma once
#include <copse/graph.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace copse::io {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The text without blanks at both ends.
std::string_view trimmed(std::string_view text) noexcept;
/// Cuts the next word (up to a blank) off `rest`; empty at the end.
std::string_view cut_word(std::string_view& rest) noexcept;
/// True if the line is blank or begins with one of `marks`.
bool is_blank_or_comment(std::string_view line, std::string_view marks) noexcept;

/// An integer from 0 to 2^64 - 1, written in decimal digits only, without a sign.
std::optional<std::uint64_t> integer(std::string_view word) noexcept;

/// An integer id in a text, as a word of 64 bits; a negative one is two's complement.
struct integer_id {
  std::uint64_t word = 0;
  bool negative = false;

  [[nodiscard]] std::string text() const { return id_text(word, negative); }
};
inline constexpr std::string_view any_integer_id = "an id from -9223372036854775808 to 18446744073709551615";
/// An integer written in decimal digits, with or without a minus sign.
std::optional<integer_id> signed_integer(std::string_view word) noexcept;
/// The vertex with that id, if there is one.
std::optional<std::uint64_t> find(const vertex_names& names, const integer_id& id) noexcept;
/// True if the field is written as a number, even a negative, fractional or too large one: such a field is no string id.
bool looks_numeric(std::string_view word) noexcept;
/// True if the field is an integer written with leading zeros, or -0.
bool has_leading_zeros(std::string_view id) noexcept;
/// Describes a word that is not an integer(): "the negative number -3", "the fraction 1.5", ...
std::string describe_not_integer(std::string_view word);
/// A weight: any decimal number, infinite and not-a-number included.
std::optional<double> real(std::string_view word);

/// True if the bytes are UTF-8 (RFC 3629).
bool is_utf8(std::string_view text) noexcept;
/// True if no byte is above 127.
bool is_ascii(std::string_view bytes) noexcept;
/// ASCII letters in lower case.
std::string lower(std::string_view word);
/// The text in quotes for messages, cut to a readable length, with bytes that are not printable ASCII written as \xHH.
std::string quoted(std::string_view text);

// A parser of short decimal numbers for loops over many lines, which takes eight digits at a time in a 64-bit word.

inline std::uint64_t load_word(const char* at) {
  std::array<unsigned char, 8> bytes;
  std::memcpy(bytes.data(), at, 8);
  if constexpr (std::endian::native == std::endian::little) return std::bit_cast<std::uint64_t>(bytes);
  std::uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8 | bytes[static_cast<std::size_t>(i)];
  return word;
}

// Sets 0x80 in every byte that is not a digit. (A carry out of a byte above 0xB9 may also mark the next higher byte, but never one before
// the first non-digit.)
inline std::uint64_t not_digits(std::uint64_t word) {
  constexpr std::uint64_t each = 0x0101010101010101;
  return ((word + 0x46 * each) | (word - 0x30 * each)) & (0x80 * each);
}

// The number that eight ASCII digits represent, with the first digit in the lowest byte; zero bytes in front count as zeros.
inline std::uint64_t eight_digits(std::uint64_t word) {
  word &= 0x0F0F0F0F0F0F0F0F;
  word = word * 10 + (word >> 8);  // pairs of digits, in every other byte
  return ((word & 0x000000FF000000FF) * 0x000F424000000064 + ((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >> 32;
}

inline constexpr std::array<std::uint64_t, 8> powers_of_ten{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

/// Parses the decimal number at `at` and returns the position after it; nullptr if there is no digit, or if there are more than 15. May
/// read 16 bytes.
inline const char* short_number(const char* at, std::uint64_t& value) {
  std::uint64_t word = load_word(at);
  std::uint64_t stop = not_digits(word);
  value = 0;
  if (stop == 0) {
    value = eight_digits(word);
    at += 8;
    word = load_word(at);
    stop = not_digits(word);
    if (stop == 0) return nullptr;
  } else if ((stop & 0x80) != 0) {
    return nullptr;
  }
  const auto digits = static_cast<unsigned>(std::countr_zero(stop)) / 8;
  if (digits == 0) return at;
  value = value * powers_of_ten[digits] + eight_digits(word << (64 - 8 * digits));
  return at + digits;
}

}  // namespace copse::io
