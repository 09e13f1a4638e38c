// Words of a line: numbers with their faults, weights, strings, and how error messages show them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse::io {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text) noexcept;
/// Cuts the next word (up to a blank) off `rest`; empty at the end.
std::string_view cut_word(std::string_view& rest) noexcept;
/// Is the line blank, or does it begin with one of `marks`?
bool is_blank_or_comment(std::string_view line, std::string_view marks) noexcept;

/// An integer from 0 to 2^64 - 1 in decimal digits; nothing else, not even a sign.
std::optional<std::uint64_t> integer(std::string_view word) noexcept;
/// Is it written as a number, also a negative, a fractional or a too large one? Then it is no string id.
bool looks_numeric(std::string_view word) noexcept;
/// Is it an integer written with leading zeros?
bool has_leading_zeros(std::string_view id) noexcept;
/// What is wrong with a word that is no integer(): "the negative number -3", "the fraction 1.5", ...
std::string describe_not_integer(std::string_view word);
/// A weight: any decimal number, infinite and not-a-number included.
std::optional<double> real(std::string_view word);

bool is_utf8(std::string_view text) noexcept;
/// ASCII letters in lower case.
std::string lower(std::string_view word);
/// In quotes, cut to a readable length, bytes that are no ASCII text written as \xHH.
std::string quoted(std::string_view text);

}  // namespace copse::io
