// Searches a short text for a few characters, eight bytes at a time: for short names, testing each character against a set would cost more
// than writing the name.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace copse::io {

/// True if one of `Wanted` occurs in the text.
template <char... Wanted>
bool holds_any(std::string_view text) noexcept {
  static_assert(((Wanted != '\0') && ...), "short texts are filled up with zeros");
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
  // Nonzero if and only if some byte of `bytes` is zero; the bits do not tell which byte.
  const auto has_zero = [](std::uint64_t bytes) { return (bytes - ones) & ~bytes & tops; };
  const auto found_in = [has_zero](const char* from, std::size_t count) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, count);
    return (has_zero(bytes ^ ones * static_cast<unsigned char>(Wanted)) | ...);
  };
  constexpr std::size_t width = sizeof(std::uint64_t);
  if (text.size() < width) return !text.empty() && found_in(text.data(), text.size()) != 0;
  std::uint64_t found = found_in(text.data() + text.size() - width, width);
  for (std::size_t i = 0; i + width < text.size(); i += width) found |= found_in(text.data() + i, width);
  return found != 0;
}

}  // namespace copse::io
