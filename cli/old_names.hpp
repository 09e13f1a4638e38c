// Names in files of older versions of copse. Up to version 2 of the table of shares the fast path was called `own`.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace copse::cli {

/// The name with each part `own` replaced by `fast`. Other names stay as they are.
inline std::string current_name(std::string_view name) {
  std::string current;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view word = name.substr(begin, end - begin);
    current.append(begin == 0 ? "" : ".").append(word == "own" ? "fast" : word);
    begin = end + 1;
  }
  return current;
}

}  // namespace copse::cli
