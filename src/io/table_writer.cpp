#include "io/table_writer.hpp"

#include "io/arrow/columnar_file.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>

#include <algorithm>

namespace copse::io {

void expect_table_suffix(const std::filesystem::path& path, const write_options& options, std::initializer_list<std::string_view> text,
                         std::string_view what) {
  const std::string suffix = written_suffix(path, options);
  if (!is_columnar_suffix(suffix)) {
    std::string expected;
    for (const std::string_view known : text) expected.append(known).append(" ");
    return expect_suffix(path, options, text, expected + ".parquet or .arrow for " + std::string{what});
  }
  const auto packing = path.extension();
  if (packing == ".gz" || packing == ".zst") {
    throw input_error::at(path.string(), 0, "the suffix " + packing.string(),
                          "none after " + suffix + ", as such files are compressed themselves");
  }
  arrow::expect_plugin(path);
}

text_rows::text_rows(const std::filesystem::path& path, std::string_view suffix, const std::vector<table_column>& columns,
                     plain_lines plain)
    : path_{path},
      between_{suffix == ".csv"                                 ? ','
               : suffix == ".tsv" || plain == plain_lines::tabs ? '\t'
                                                                : ' '},
      style_{suffix == ".csv"             ? quoting::csv
             : suffix == ".tsv"           ? quoting::tsv
             : plain == plain_lines::tabs ? quoting::tabs
                                          : quoting::words},
      file_{path},
      out_{file_} {
  if (suffix != ".csv" && suffix != ".tsv") return;
  for (const table_column& column : columns) text(column.name);
  end_row();
}

table_writer::table_writer(const std::filesystem::path& path, const write_options& options, const std::vector<table_column>& columns,
                           plain_lines plain) {
  const std::string suffix = written_suffix(path, options);
  if (is_columnar_suffix(suffix)) {
    columns_.emplace(path, suffix, columns);
  } else {
    text_.emplace(path, suffix, columns, plain);
  }
}

}  // namespace copse::io
