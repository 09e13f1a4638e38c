// Reads a table from a Parquet or Arrow file, or from the files of a folder.
#pragma once
#include "io/arrow/columnar_file.hpp"
#include "io/arrow/row_queue.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::io {

inline bool same_type(const arrow::column_type& a, const arrow::column_type& b) {
  if (a.format != b.format || (a.entries == nullptr) != (b.entries == nullptr)) return false;
  return a.entries == nullptr || same_type(*a.entries, *b.entries);
}

/// Some consecutive parts (row groups or record batches) of a table, opened as streams, and the files that the streams read.
struct open_parts {
  std::deque<arrow::columnar_file> files;
  std::deque<arrow::arrow_stream> streams;
  std::vector<arrow::table_part> parts;
  std::int64_t end = 0;  ///< index of the part after the last one that is open
};

/// A file, or the files of a folder as one table. Each file is open only while it is read, because there may be thousands.
class columnar_source {
public:
  /// The number of rows that a worker reads at a time.
  static constexpr std::int64_t stream_rows = std::int64_t{1} << 17;

  columnar_source(const std::filesystem::path& path, format f, bool mapped)
      : paths_{arrow::columnar_files(path)}, format_{f}, is_folder_{paths_.front() != path}, mapped_{mapped} {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const arrow::columnar_file file = opened(i);
      if (i == 0) columns_ = file.columns();
      for (std::int64_t part = 0; part < file.parts(); ++part) part_rows_.push_back(file.part_rows(part));
      ends_.push_back(parts());
    }
    rows_known_ = std::find(part_rows_.begin(), part_rows_.end(), -1) == part_rows_.end();
    if (!rows_known_ && parts() > 1) {
      throw usage_error{path.string() + ": a folder must hold files of Parquet or Arrow; it holds streams of Arrow"};
    }
    first_rows_.push_back(0);
    for (const std::int64_t rows : part_rows_)
      first_rows_.push_back(first_rows_.back() + static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0)));
  }

  /// The columns of the first file.
  [[nodiscard]] const std::vector<arrow::column_type>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::int64_t parts() const noexcept { return static_cast<std::int64_t>(part_rows_.size()); }
  /// The number of rows in parts [begin, end) (row groups or record batches); nullopt if it is not known before they are read.
  [[nodiscard]] std::optional<std::uint64_t> rows(std::int64_t begin, std::int64_t end) const {
    if (!rows_known_ && begin != end) return std::nullopt;
    return first_rows_[static_cast<std::size_t>(end)] - first_rows_[static_cast<std::size_t>(begin)];
  }
  /// The file that contains a row, and the row's number in that file.
  [[nodiscard]] arrow::row_address address(std::uint64_t row) const {
    const auto first = std::upper_bound(first_rows_.begin(), first_rows_.end(), row) - 1;
    const std::size_t file = std::min(file_of(first - first_rows_.begin()), paths_.size() - 1);
    return {paths_[file].string() + ": ", row - first_rows_[static_cast<std::size_t>(file == 0 ? 0 : ends_[file - 1])]};
  }
  /// A stream that has no rows, but the schema of these columns in the first file, and so their types.
  [[nodiscard]] arrow::arrow_stream types(std::span<const int> columns) const { return opened(0).read(columns, 0, 0); }
  /// Opens parts (row groups or record batches) from `begin` on, at most up to `end`, until the open ones have `enough_rows` rows or come
  /// from 64 files. Throws input_error for a file whose columns differ from those of the first file.
  [[nodiscard]] open_parts open(std::span<const int> columns, std::int64_t begin, std::int64_t end, std::int64_t enough_rows) const {
    constexpr std::size_t most_files = 64;
    open_parts all{.files = {}, .streams = {}, .parts = {}, .end = begin};
    std::size_t last_file = paths_.size();
    for (std::int64_t round = 0; all.end < end && round < enough_rows && all.files.size() < most_files;) {
      const std::size_t i = file_of(all.end);
      const std::int64_t first = all.end, begin_of_file = i == 0 ? 0 : ends_[i - 1];
      std::int64_t rows = 0;
      for (; all.end < std::min(end, ends_[i]) && rows < stream_rows; ++all.end) {
        const std::int64_t more = part_rows_[static_cast<std::size_t>(all.end)];
        rows += more < 0 ? stream_rows : more;
      }
      if (rows == 0) continue;
      round += rows;
      if (i != last_file) expect_types(all.files.emplace_back(paths_[i], format_at(i), mapped_), columns, i);
      last_file = i;
      all.streams.push_back(all.files.back().read(columns, first - begin_of_file, all.end - begin_of_file));
      all.parts.emplace_back(&all.streams.back(), first_rows_[static_cast<std::size_t>(first)]);
    }
    return all;
  }

private:
  [[nodiscard]] format format_at(std::size_t file) const { return is_folder_ ? format_of(paths_[file]) : format_; }
  [[nodiscard]] arrow::columnar_file opened(std::size_t file) const { return {paths_[file], format_at(file), mapped_}; }
  [[nodiscard]] std::size_t file_of(std::int64_t part) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), part) - ends_.begin());
  }
  void expect_types(const arrow::columnar_file& file, std::span<const int> columns, std::size_t i) const {
    for (const int c : columns) {
      const auto place = static_cast<std::size_t>(c);
      const arrow::column_type& expected = columns_[place];
      const auto& mine = file.columns();
      if (place < mine.size() && mine[place].name == expected.name && same_type(mine[place], expected)) continue;
      const auto described = [](const arrow::column_type& type) {
        return "column '" + type.name + "' of " + type.described() + " (Arrow's format " + type.format + ")";
      };
      throw input_error::at(paths_[i].string(), 0, place < mine.size() ? described(mine[place]) : "fewer columns",
                            described(expected) + " as in " + paths_.front().string());
    }
  }

  std::vector<std::filesystem::path> paths_;
  format format_;
  bool is_folder_, mapped_, rows_known_ = true;
  std::vector<arrow::column_type> columns_;
  std::vector<std::int64_t> ends_;         ///< for each file, the number of parts (row groups or batches) in it and all files before it
  std::vector<std::int64_t> part_rows_;    ///< number of rows in each part; -1 if not known before it is read
  std::vector<std::uint64_t> first_rows_;  ///< the number of the first row of each part, then the number of all rows
};

}  // namespace copse::io
