// Rows that become the columns of a Parquet or Arrow file, some at a time.
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

/// A column of a table that is written. Those of ids have the type of their names.
struct table_column {
  std::string name;
  column_kind kind = column_kind::ids;
  const vertex_names* names = nullptr;  ///< the names of a column of ids
  bool nullable = false;                ///< a row may hold nothing()
};

/// The columnar form of table_writer (table_writer.hpp). Integers are int64 (ids uint64 where one is above 2^63 - 1), reals doubles
/// or floats, strings large_string (large_binary where the names are not all UTF-8). Takes memory for 2^17 rows.
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
    std::vector<std::uint64_t> words;   ///< numbers, or the offsets of strings, of which the first is 0
    std::vector<float> singles;         ///< in the place of words
    std::string bytes;                  ///< the bytes of a column of strings
    std::vector<std::uint8_t> present;  ///< a bit for each row; empty: all are
    std::int64_t nulls = 0;
  };
  struct batch {
    std::int64_t rows = 0;
    std::vector<column_values> columns;
  };

  void put(std::uint64_t word) { batch_->columns[next_++].words.push_back(word); }
  [[nodiscard]] std::shared_ptr<batch> empty_batch() const;
  void write_batch();
  /// The rows so far as a table, which keeps them.
  [[nodiscard]] std::shared_ptr<const arrow::ready_table> as_table() const;

  std::vector<table_column> columns_;
  std::vector<std::string> formats_;  ///< the type of each column, in the format strings of the Arrow C interface
  std::shared_ptr<batch> batch_;
  std::size_t next_ = 0;  ///< the column that is put next
  arrow::columnar_output file_;
};

}  // namespace copse::io
