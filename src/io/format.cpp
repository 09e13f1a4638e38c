// Derives formats from file names, and names of formats.
#include "io/arrow/columnar_file.hpp"
#include "io/readers.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <string>

namespace copse::io {
namespace {

bool lists(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == wanted) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// The file name without .gz or .zst.
std::filesystem::path unpacked_name(const std::filesystem::path& path) {
  return compression_by_suffix(path) == compression::none ? path.filename() : path.stem();
}

/// Galois files end in .gr, as DIMACS files do: a Galois file begins with its binary version, 1, and DIMACS is text.
bool is_galois(const std::filesystem::path& path) {
  std::error_code missing;
  if (unpacked_name(path).extension() != ".gr" || !std::filesystem::is_regular_file(path, missing)) return false;
  char first = 0;
  return open_stream(input_file{path}, compression_by_suffix(path), host_memory())->read(&first, 1) == 1 && first == 1;
}

}  // namespace

format format_of(const std::filesystem::path& path) {
  if (path == "-") return format::edges;  // standard input has no suffix that would give a format
  if (std::error_code unknown; std::filesystem::is_directory(path, unknown)) return format_of(arrow::columnar_files(path).front());
  if (is_galois(path)) return format::galois;
  const std::string suffix = unpacked_name(path).extension().string();
  std::string known;
  for (const auto& row : formats) {
    if (!suffix.empty() && lists(row.suffixes, suffix)) return row.what;
    known.append(known.empty() ? "" : " ").append(row.suffixes);
  }
  const std::string found = suffix.empty() ? "a name without a suffix" : "the suffix " + suffix;
  if (suffix == ".bz2" || suffix == ".xz") {
    const std::string_view tool = suffix == ".xz" ? "xz" : "bzip2";
    throw input_error::at(path.string(), 0, found, ".gz, .zst or no packing, or a pipe: " + std::string{tool} + " -dc FILE | copse ... -");
  }
  throw input_error::at(path.string(), 0, found,
                        "one of " + known + " (with .gz or .zst behind it or not), or a format by name, such as the option format edges");
}

format format_named(std::string_view name) {
  std::string known;
  for (const auto& row : formats) {
    if (row.name == name) return row.what;
    known.append(known.empty() ? "" : ", ").append(row.name);
  }
  throw usage_error{"no format is called " + std::string{name} + "; there are " + known};
}

std::string_view to_string(format f) noexcept { return row_of(f).name; }

}  // namespace copse::io
