#include "io/columnar_rows.hpp"

#include "io/arrow/label_table.hpp"
#include "io/written_suffix.hpp"

#include <bit>
#include <utility>

namespace copse::io {
namespace {

bool holds_strings(const std::string& format) { return format == "U" || format == "Z"; }

std::vector<std::string> formats_of(const std::vector<table_column>& columns) {
  std::vector<std::string> formats;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    switch (columns[i].kind) {
      case column_kind::ids:
        // Checking that all names are UTF-8 takes a while. Columns with the same names are usually adjacent, so the format of the previous
        // column is reused.
        formats.push_back(i != 0 && columns[i - 1].names == columns[i].names
                              ? formats.back()
                              : arrow::format_of_ids(*columns[i].names, arrow::ids_by_names(*columns[i].names)));
        break;
      case column_kind::numbers:
      case column_kind::signed_numbers:
        formats.emplace_back("l");
        break;
      case column_kind::reals:
        formats.emplace_back("g");
        break;
      case column_kind::singles:
        formats.emplace_back("f");
        break;
      case column_kind::text:
        formats.emplace_back("U");
        break;
    }
  }
  return formats;
}

}  // namespace

columnar_rows::columnar_rows(const std::filesystem::path& path, std::string_view suffix, std::vector<table_column> columns)
    : columns_{std::move(columns)},
      formats_{formats_of(columns_)},
      batch_{empty_batch()},
      file_{path, columnar_format(suffix), as_table()} {}

void columnar_rows::real(double number) { put(std::bit_cast<std::uint64_t>(number)); }

void columnar_rows::single(float number) { batch_->columns[next_++].singles.push_back(number); }

void columnar_rows::nothing() {
  column_values& column = batch_->columns[next_];
  const auto row = static_cast<std::size_t>(batch_->rows);
  if (column.present.empty()) column.present.assign(static_cast<std::size_t>(most_rows / 8), 0xff);
  column.present[row / 8] = static_cast<std::uint8_t>(column.present[row / 8] & ~(1U << row % 8));
  ++column.nulls;
  if (formats_[next_] == "f") return single(0);
  put(holds_strings(formats_[next_]) ? column.bytes.size() : 0);
}

std::shared_ptr<columnar_rows::batch> columnar_rows::empty_batch() const {
  auto empty = std::make_shared<batch>();
  empty->columns.resize(formats_.size());
  for (std::size_t i = 0; i < formats_.size(); ++i) {
    if (holds_strings(formats_[i])) empty->columns[i].words.push_back(0);
  }
  return empty;
}

std::shared_ptr<const arrow::ready_table> columnar_rows::as_table() const {
  auto table = std::make_shared<arrow::ready_table>();
  table->rows = batch_->rows;
  for (std::size_t i = 0; i < formats_.size(); ++i) {
    const column_values& values = batch_->columns[i];
    const void* const first = formats_[i] == "f" ? static_cast<const void*>(values.singles.data()) : values.words.data();
    table->columns.push_back({.name = columns_[i].name,
                              .format = formats_[i],
                              .words = {},
                              .bytes = {},
                              .buffers = {values.nulls == 0 ? nullptr : values.present.data(), first, values.bytes.c_str()},
                              .nullable = columns_[i].nullable,
                              .nulls = values.nulls});
  }
  table->kept = batch_;
  return table;
}

void columnar_rows::write_batch() {
  file_.append(as_table());
  batch_ = empty_batch();
}

void columnar_rows::commit() {
  if (batch_->rows != 0) file_.append(as_table());
  file_.commit();
}

}  // namespace copse::io
