// Strings of a few bytes, as most ids are: two words that may overlap take less time than a call of memcpy or memcmp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace copse {

/// The first bytes at `from` as a number, in the order of the processor.
template <class Word>
Word word_at(const char* from) noexcept {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

namespace detail {

template <class Word>
bool same_ends(const char* a, const char* b, std::size_t count) noexcept {
  const std::size_t last = count - sizeof(Word);
  return ((word_at<Word>(a) ^ word_at<Word>(b)) | (word_at<Word>(a + last) ^ word_at<Word>(b + last))) == 0;
}

template <class Word>
void copy_ends(const char* from, std::size_t count, char* to) noexcept {
  const std::size_t last = count - sizeof(Word);
  const auto head = word_at<Word>(from), tail = word_at<Word>(from + last);
  std::memcpy(to, &head, sizeof head);
  std::memcpy(to + last, &tail, sizeof tail);
}

}  // namespace detail

inline bool same_bytes(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  if (a.size() - 8 <= 8) return detail::same_ends<std::uint64_t>(a.data(), b.data(), a.size());
  if (a.size() - 4 <= 4) return detail::same_ends<std::uint32_t>(a.data(), b.data(), a.size());
  return a == b;
}

/// Precondition: the two places do not overlap.
inline void copy_bytes(std::string_view from, char* to) noexcept {
  if (from.size() - 8 <= 8) {
    detail::copy_ends<std::uint64_t>(from.data(), from.size(), to);
  } else if (from.size() - 4 <= 4) {
    detail::copy_ends<std::uint32_t>(from.data(), from.size(), to);
  } else if (!from.empty()) {
    std::memcpy(to, from.data(), from.size());
  }
}

}  // namespace copse
