// A small table in text: `.csv` with a header, or `.txt` with tabs and none; "-" is standard output, as CSV.
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace copse::cli {

/// Throws usage_error unless the name ends in .csv or .txt (or is "-"); `what` the table holds.
void expect_table_suffix(const std::filesystem::path& path, std::string_view what);

/// Fields are put one after the other; end_line() ends each line. The file appears with commit().
class table_file {
public:
  table_file(const std::filesystem::path& path, std::string_view what, std::initializer_list<std::string_view> header);

  /// Text that may need quotes. In `.txt` a tab or an end of line is refused.
  table_file& text(std::string_view text);
  table_file& number(std::uint64_t number) { return plain(std::to_string(number)); }
  /// The shortest text that reads back as the same number.
  table_file& number(double number);
  /// What vertex i is called.
  table_file& name(const vertex_names& names, std::uint64_t i);
  /// A field that holds nothing.
  table_file& nothing() { return plain(""); }
  void end_line();
  void commit();

private:
  table_file& plain(std::string_view text);

  std::filesystem::path path_;
  bool csv_;
  bool begun_ = false;  // the line has a field
  io::output_file file_;
  std::string pending_;
};

}  // namespace copse::cli
