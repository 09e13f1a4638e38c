// What decides how a file is written.
#pragma once
#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace copse::io {

/// The suffix of a file, less .gz or .zst, or what the caller names instead; "-" is text.
inline std::string written_suffix(const std::filesystem::path& path, const write_options& options) {
  if (!options.suffix.empty()) return options.suffix;
  if (path == "-") return ".txt";
  const bool packed = path.extension() == ".gz" || path.extension() == ".zst";
  return std::filesystem::path{packed ? path.stem() : path.filename()}.extension().string();
}

/// Throws input_error unless it is one of `known`.
inline void expect_suffix(const std::filesystem::path& path, const write_options& options, std::initializer_list<std::string_view> known,
                          std::string_view expected) {
  const std::string suffix = written_suffix(path, options);
  if (std::find(known.begin(), known.end(), suffix) != known.end()) return;
  throw input_error::at(path.string(), 0, suffix.empty() ? "a name without a suffix" : "the suffix " + suffix, expected);
}

}  // namespace copse::io
