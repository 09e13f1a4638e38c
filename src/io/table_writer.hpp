// Writes a table row by row: as text, or as the columns of a Parquet or Arrow file, depending on the suffix.
#pragma once
#include "io/columnar_rows.hpp"
#include "io/text_writer.hpp"

#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// What separates the fields of a text file that is neither `.csv` nor `.tsv`, which determines the names it can hold.
enum class plain_lines : std::uint8_t { tabs, blanks };

/// Writes rows of text field by field.
class text_rows {
public:
  text_rows(const std::filesystem::path& path, std::string_view suffix, const std::vector<table_column>& columns, plain_lines plain);

  void name(const vertex_names& names, std::uint64_t i) {
    switch (names.what()) {
      case vertex_names::kind::identity:
        return number(i);
      case vertex_names::kind::integers:
        if (names.is_signed()) return signed_number(static_cast<std::int64_t>(names.integer(i)));
        return number(names.integer(i));
      case vertex_names::kind::strings:
        return text(names.string(i));
    }
  }
  void number(std::uint64_t number) {
    begin_field();
    out_.put(number);
  }
  void signed_number(std::int64_t number) {
    begin_field();
    out_.put_signed(number);
  }
  void real(double number) {
    begin_field();
    out_.put_real(number);
  }
  void single(float number) {
    begin_field();
    out_.put_real(number);
  }
  void text(std::string_view text) {
    begin_field();
    put_string(out_, text, style_, path_);
  }
  void nothing() { begin_field(); }
  void end_row() {
    out_.put('\n');
    begun_ = false;
  }
  void commit() {
    out_.flush();
    file_.commit();
  }

private:
  void begin_field() {
    if (begun_) out_.put(between_);
    begun_ = true;
  }

  std::filesystem::path path_;
  char between_;
  quoting style_;
  bool begun_ = false;  ///< true if the current row has a field
  output_file file_;
  text_writer out_;
};

/// Writes a table, which appears with commit(), whole or not at all. In each row, a field must be put for each column, in order, by the
/// function for the column's kind or by nothing(); end_row() ends the row. Text files have a header if they end in `.csv` or `.tsv`. Throws
/// input_error for a text that the file cannot hold, and what output_file throws.
class table_writer {
public:
  table_writer(const std::filesystem::path& path, const write_options& options, const std::vector<table_column>& columns,
               plain_lines plain = plain_lines::tabs);

  /// Puts the name of vertex i. `names` must be those of the column.
  void name(const vertex_names& names, std::uint64_t i) { text_ ? text_->name(names, i) : columns_->name(names, i); }
  void number(std::uint64_t number) { text_ ? text_->number(number) : columns_->number(number); }
  void signed_number(std::int64_t number) { text_ ? text_->signed_number(number) : columns_->signed_number(number); }
  void real(double number) { text_ ? text_->real(number) : columns_->real(number); }
  void single(float number) { text_ ? text_->single(number) : columns_->single(number); }
  void text(std::string_view text) { text_ ? text_->text(text) : columns_->text(text); }
  /// Puts an empty field, or a null.
  void nothing() { text_ ? text_->nothing() : columns_->nothing(); }
  void end_row() { text_ ? text_->end_row() : columns_->end_row(); }
  void commit() { text_ ? text_->commit() : columns_->commit(); }

private:
  std::optional<text_rows> text_;
  std::optional<columnar_rows> columns_;
};

}  // namespace copse::io
