// What a plug-in offers that reads and writes files of Parquet and Arrow: functions of C, so that the library needs neither to be built nor
// to run. Tables pass as streams of the Arrow C interface. libcopse_parquet is one, over Arrow C++.
#pragma once
#include <copse/arrow.h>

#include <cstddef>
#include <cstdint>

extern "C" {

/// Functions return 0 or more where they succeed; otherwise -1, and a text of at most `size` bytes with its zero in `error`. They throw
/// nothing, and may be called by several threads at once.
struct copse_columnar_files {
  std::uint32_t version;  ///< copse_columnar_files_version

  /// Opens a file of Parquet, or of Arrow (both kinds of IPC), through a mapping or not. Null where it is none.
  void* (*open)(const char* path, int is_parquet, int mapped, char* error, std::size_t size);
  void (*close)(void* file);
  int (*schema)(void* file, ArrowSchema* to, char* error, std::size_t size);
  /// Row groups or record batches; 1 for a stream, which is read in one go.
  std::int64_t (*parts)(void* file);
  /// Rows of one part; -1 where only reading would tell.
  std::int64_t (*part_rows)(void* file, std::int64_t part);
  /// Reads these columns of parts [begin, end), in batches. The stream may outlive the file; one thread reads it.
  int (*read)(void* file, const int* columns, int count, std::int64_t begin, std::int64_t end, ArrowArrayStream* to, char* error,
              std::size_t size);

  /// Begins to write a table with these columns, and takes the schema. put(context, bytes, count) gets the bytes of the file in order, and
  /// is not 0 where it fails. Null where the table cannot be written. One thread at a
  /// time writes it.
  void* (*create)(ArrowSchema* columns, int is_parquet, int (*put)(void* context, const void* bytes, std::int64_t count), void* context,
                  char* error, std::size_t size);
  /// Writes rows, and takes them.
  int (*append)(void* table, ArrowArray* rows, char* error, std::size_t size);
  /// Writes what comes behind the last rows.
  int (*finish)(void* table, char* error, std::size_t size);
  /// Frees the table, finished or not.
  void (*discard)(void* table);
};

inline constexpr std::uint32_t copse_columnar_files_version = 2;
/// The text of an error where memory ran out.
inline constexpr const char* copse_columnar_out_of_memory = "out of memory";

/// The symbol of the plug-in.
const copse_columnar_files* copse_columnar_plugin();
}
