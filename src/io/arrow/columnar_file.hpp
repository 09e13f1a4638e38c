// Files of Parquet and Arrow, through a plug-in that is loaded when the first of them is opened.
#pragma once
#include "io/arrow/column.hpp"
#include "io/arrow/columnar_plugin.hpp"
#include "io/arrow/rows.hpp"
#include "io/arrow/table_stream.hpp"

#include <copse/io.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace copse::arrow {

/// The file, or the files of Parquet or Arrow in a folder and the folders in it, by their names; those that begin with . or _ are left out,
/// as engines keep notes there. Throws input_error for a folder without any, and for one that cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> columnar_files(const std::filesystem::path& path);

/// Makes these the functions of the plug-in, which is not looked for then. To be called before any file is opened.
void use_plugin(const copse_columnar_files& functions);

/// True if files can be read and written.
[[nodiscard]] bool has_plugin();

/// Throws input_error, which says what to install, where there is no plug-in.
void expect_plugin(const std::filesystem::path& path);

using io::format;

/// What the plug-in says of a failure.
using failure_text = std::array<char, 1024>;

class columnar_file {
public:
  /// Throws input_error for what is no such file, resource_error, and as expect_plugin().
  columnar_file(const std::filesystem::path& path, format f, bool mapped = true);
  columnar_file(const columnar_file&) = delete;
  ~columnar_file();

  [[nodiscard]] const std::vector<column_type>& columns() const noexcept { return columns_; }
  /// Parts that can be read side by side.
  [[nodiscard]] std::int64_t parts() const;
  /// Rows of one part; -1 where only reading would tell.
  [[nodiscard]] std::int64_t part_rows(std::int64_t part) const;
  /// Reads these columns of parts [begin, end). The stream may outlive the file. Throws input_error.
  [[nodiscard]] arrow_stream read(std::span<const int> columns, std::int64_t begin, std::int64_t end) const;

private:
  std::filesystem::path path_;
  void* file_ = nullptr;
  std::vector<column_type> columns_;
};

/// A file of Parquet or Arrow that is written some rows at a time, and appears with commit(), whole or not at all. All throw input_error,
/// resource_error, and as expect_plugin().
class columnar_output {
public:
  /// `columns`: a table that has these, of any rows.
  columnar_output(const std::filesystem::path& path, format f, std::shared_ptr<const ready_table> columns);
  columnar_output(const columnar_output&) = delete;
  ~columnar_output();

  void append(std::shared_ptr<const ready_table> rows);
  void commit();

private:
  static int put(void* self, const void* bytes, std::int64_t count);
  /// Throws what is wrong where `failed`.
  void expect(bool failed, const failure_text& why) const;

  std::filesystem::path path_;
  io::output_file file_;
  std::exception_ptr write_failure_;  ///< why put() failed
  void* table_ = nullptr;             ///< the plug-in's
};

}  // namespace copse::arrow
