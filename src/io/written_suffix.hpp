// Determines the format of a file to be written, and checks that it can be written. Functions that write do this themselves, but that may
// be after hours of work.
#pragma once
#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace copse::io {

/// The suffix of a file without .gz or .zst, or the one that the options name; standard output ("-") is text.
inline std::string written_suffix(const std::filesystem::path& path, const write_options& options) {
  if (!options.suffix.empty()) return options.suffix;
  if (path == "-") return ".txt";
  const bool packed = path.extension() == ".gz" || path.extension() == ".zst";
  return std::filesystem::path{packed ? path.stem() : path.filename()}.extension().string();
}

/// True if a graph file with that suffix holds rows.
inline bool holds_rows(std::string_view suffix) noexcept {
  return suffix == ".sg" || suffix == ".egr" || suffix == ".adj" || suffix == ".gr" || suffix == ".vgr";
}

/// Throws input_error unless a table can be written to a file with this suffix: one of `text`, .parquet or .arrow. `what` names the content
/// in error messages. Also throws input_error if the plug-in for Parquet and Arrow is missing.
void expect_table_suffix(const std::filesystem::path& path, const write_options& options, std::initializer_list<std::string_view> text,
                         std::string_view what);

/// Throws input_error unless the suffix is one of `known`.
inline void expect_suffix(const std::filesystem::path& path, const write_options& options, std::initializer_list<std::string_view> known,
                          std::string_view expected) {
  const std::string suffix = written_suffix(path, options);
  if (std::find(known.begin(), known.end(), suffix) != known.end()) return;
  throw input_error::at(path.string(), 0, suffix.empty() ? "a name without a suffix" : "the suffix " + suffix, expected);
}

/// True for the suffixes of Parquet and Arrow files, which are never compressed as .gz or .zst.
inline bool is_columnar_suffix(std::string_view suffix) {
  return suffix == ".parquet" || suffix == ".pq" || suffix == ".arrow" || suffix == ".arrows" || suffix == ".feather" || suffix == ".ipc";
}

/// The format of a Parquet or Arrow suffix. Precondition: is_columnar_suffix(suffix).
inline format columnar_format(std::string_view suffix) { return suffix == ".parquet" || suffix == ".pq" ? format::parquet : format::arrow; }

// Throw input_error if the function that writes labels, sizes and so on to files does not support the suffix. expect_rooted_suffix() is for
// write_rooted() and write_tour().

void expect_labels_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_sizes_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_names_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_graph_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_list_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_ranks_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_weighted_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_forest_suffix(const std::filesystem::path& path, const write_options& options = {});
void expect_rooted_suffix(const std::filesystem::path& path, const write_options& options = {});

/// True if the suffix is that of a format with weights, so that write_weighted_edges() can write the file.
[[nodiscard]] bool holds_weights(const std::filesystem::path& path, const write_options& options = {});

}  // namespace copse::io
