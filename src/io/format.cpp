// Names and suffixes of the formats: one table for both directions.
#include "io/arrow/columnar_file.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <string>

namespace copse::io {
namespace {

struct format_row {
  format what;
  std::string_view name;
  std::string_view suffixes;  // separated by spaces; a plain file has one of them
};

constexpr std::array<format_row, 15> rows{{
    {format::edges, "edges", ".txt .el .tsv .edges"},
    {format::csv, "csv", ".csv"},
    {format::mtx, "mtx", ".mtx"},
    {format::metis, "metis", ".graph .metis"},
    {format::dimacs, "dimacs", ".gr .dimacs"},
    {format::sg, "sg", ".sg"},
    {format::egr, "egr", ".egr"},
    {format::adj, "adj", ".adj"},
    {format::galois, "galois", ".vgr"},
    {format::npy, "npy", ".npy"},
    {format::npz, "npz", ".npz"},
    {format::coo, "coo", ".coo"},
    {format::coo64, "coo64", ".coo64"},
    {format::parquet, "parquet", ".parquet .pq"},
    {format::arrow, "arrow", ".arrow .arrows .feather .ipc"},
}};

bool lists(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == wanted) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// The name without .gz or .zst.
std::filesystem::path unpacked_name(const std::filesystem::path& path) {
  return compression_by_suffix(path) == compression::none ? path.filename() : path.stem();
}

/// Galois calls its files .gr, too: they begin with the version, 1, and DIMACS is text.
bool is_galois(const std::filesystem::path& path) {
  std::error_code missing;
  if (unpacked_name(path).extension() != ".gr" || !std::filesystem::is_regular_file(path, missing)) return false;
  char first = 0;
  return open_stream(input_file{path}, compression_by_suffix(path), host_memory())->read(&first, 1) == 1 && first == 1;
}

}  // namespace

format format_of(const std::filesystem::path& path) {
  if (path == "-") return format::edges;  // a pipe has no name that says more
  if (std::error_code unknown; std::filesystem::is_directory(path, unknown)) return format_of(arrow::columnar_files(path).front());
  if (is_galois(path)) return format::galois;
  const std::string suffix = unpacked_name(path).extension().string();
  std::string known;
  for (const auto& row : rows) {
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
  for (const auto& row : rows) {
    if (row.name == name) return row.what;
    known.append(known.empty() ? "" : ", ").append(row.name);
  }
  throw usage_error{"no format is called " + std::string{name} + "; there are " + known};
}

std::string_view to_string(format f) noexcept {
  for (const auto& row : rows) {
    if (row.what == f) return row.name;
  }
  return "?";
}

}  // namespace copse::io
