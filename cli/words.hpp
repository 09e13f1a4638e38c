// Splits texts into words at a separator, for lists in options and for names of variants.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

/// Returns the words between the separators, empty ones included.
inline std::vector<std::string> words_between(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// Joins words to a text such as `a, b or c`.
inline std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text.append(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  return text;
}

/// Splits at commas.
inline std::vector<std::string> comma_separated(std::string_view text) { return words_between(text, ','); }

}  // namespace copse::cli
