// Names in files of older versions of copse. Up to version 2 of the table of shares the fast path was called `own`.
#pragma once
#include <string>
#include <string_view>

#include "words.hpp"

namespace copse::cli {

/// The name with each part `own` replaced by `fast`. Other names stay as they are.
inline std::string current_name(std::string_view name) {
  std::string current;
  for (const std::string& word : words_between(name, '.')) current.append(current.empty() ? "" : ".").append(word == "own" ? "fast" : word);
  return current;
}

}  // namespace copse::cli
