// Collects rows and writes them in batches as the columns of a Parquet or Arrow file.
#pragma once
#include "io/arrow/columnar_file.hpp"

#include <copse/graph.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

enum class column_kind : std::uint8_t { ids, numbers, signed_numbers, reals, singles, text };

/// A column of a table to be written. A column of ids has the type of its names.
struct table_column {
  std::string name;
  column_kind kind = column_kind::ids;
  const vertex_names* names = nullptr;  ///< the names of a column of ids
  bool nullable = false;                ///< true if the column may have nulls, which columnar_rows::nothing() puts
};

/// Implements table_writer (table_writer.hpp) for Parquet and Arrow files. Integers are written as int64 (ids as uint64 if one is above
/// 2^63 - 1), reals as doubles or floats, strings as large_string (large_binary if some name is not UTF-8). Holds up to 2^17 rows in
/// memory.
class columnar_rows {
public:
  columnar_rows(const std::filesystem::path& path, std::string_view suffix, std::vector<table_column> columns);

  void name(const vertex_names& names, std::uint64_t i) {
    names.what() == vertex_names::kind::strings ? text(names.string(i)) : put(names.integer(i));
  }
  void number(std::uint64_t number) { put(number); }
  void signed_number(std::int64_t number) { put(static_cast<std::uint64_t>(number)); }
  void real(double number);
  void single(float number);
  void text(std::string_view text) {
    batch_->columns[next_].bytes.append(text);
    put(batch_->columns[next_].bytes.size());
  }
  void nothing();
  void end_row() {
    next_ = 0;
    if (++batch_->rows == most_rows) write_batch();
  }
  void commit();

private:
  static constexpr std::int64_t most_rows = std::int64_t{1} << 17;

  /// The values of one column, for the rows of one batch.
  struct column_values {
    std::vector<std::uint64_t> words;   ///< numbers, or the offsets of strings, which begin with 0
    std::vector<float> singles;         ///< 32-bit floats, used instead of `words` in columns of type column_kind::singles
    std::string bytes;                  ///< the bytes of a column of strings
    std::vector<std::uint8_t> present;  ///< one bit per row; empty if no row is null
    std::int64_t nulls = 0;
  };
  struct batch {
    std::int64_t rows = 0;
    std::vector<column_values> columns;
  };

  void put(std::uint64_t word) { batch_->columns[next_++].words.push_back(word); }
  [[nodiscard]] std::shared_ptr<batch> empty_batch() const;
  void write_batch();
  /// The current batch as a table that shares ownership of it.
  [[nodiscard]] std::shared_ptr<const arrow::ready_table> as_table() const;

  std::vector<table_column> columns_;
  std::vector<std::string> formats_;  ///< the type of each column, in the format strings of the Arrow C interface
  std::shared_ptr<batch> batch_;
  std::size_t next_ = 0;  ///< the column that the next value goes to
  arrow::columnar_output file_;
};

}  // namespace copse::io
