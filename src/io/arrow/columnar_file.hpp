// Reads and writes Parquet and Arrow files through a plug-in, which is loaded when the first such file is opened.
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

/// The file itself, or all Parquet or Arrow files in a folder and its subfolders, sorted by name. Names that begin with . or _ are left
/// out, because engines keep their metadata under such names. Throws input_error for a folder without any such file, and for a path that
/// cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> columnar_files(const std::filesystem::path& path);

/// Uses these functions as the plug-in, instead of looking for one. To be called before any file is opened.
void use_plugin(const copse_columnar_files& functions);

/// True if there is a plug-in, so that Parquet and Arrow files can be read and written.
[[nodiscard]] bool has_plugin();

/// Throws input_error, which says what to install, if there is no plug-in.
void expect_plugin(const std::filesystem::path& path);

using io::format;

/// The plug-in's description of a failure.
using failure_text = std::array<char, 1024>;

class columnar_file {
public:
  /// Throws input_error if the file is not in format `f` or the plug-in is missing, and resource_error if memory runs out.
  columnar_file(const std::filesystem::path& path, format f, bool mapped = true);
  columnar_file(const columnar_file&) = delete;
  ~columnar_file();

  [[nodiscard]] const std::vector<column_type>& columns() const noexcept { return columns_; }
  /// The number of parts (row groups or record batches) of the file, which can be read concurrently.
  [[nodiscard]] std::int64_t parts() const;
  /// The number of rows of one part; -1 if it is not known before the part is read.
  [[nodiscard]] std::int64_t part_rows(std::int64_t part) const;
  /// Reads the given columns of parts [begin, end). The stream may outlive the file. Throws input_error.
  [[nodiscard]] arrow_stream read(std::span<const int> columns, std::int64_t begin, std::int64_t end) const;

private:
  std::filesystem::path path_;
  void* file_ = nullptr;
  std::vector<column_type> columns_;
};

/// Writes a Parquet or Arrow file in batches of rows. The file appears with commit(), whole or not at all. All functions throw input_error,
/// also if the plug-in is missing, and resource_error if memory runs out.
class columnar_output {
public:
  /// `columns` is a table with the columns of the file; its rows are not written.
  columnar_output(const std::filesystem::path& path, format f, std::shared_ptr<const ready_table> columns);
  columnar_output(const columnar_output&) = delete;
  ~columnar_output();

  void append(std::shared_ptr<const ready_table> rows);
  void commit();

private:
  static int put(void* self, const void* bytes, std::int64_t count);
  /// Throws the error that `why` describes if `failed`.
  void expect(bool failed, const failure_text& why) const;

  std::filesystem::path path_;
  io::output_file file_;
  std::exception_ptr write_failure_;  ///< why put() failed
  void* table_ = nullptr;             ///< the plug-in's handle of the table
};

}  // namespace copse::arrow
