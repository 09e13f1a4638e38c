// The interface of a plug-in that reads and writes Parquet and Arrow files: C functions, so that copse can be built and run without the
// plug-in. Tables are passed as streams of the Arrow C interface. libcopse_parquet implements it with Arrow C++.
#pragma once
#include <copse/arrow.h>

#include <cstddef>
#include <cstdint>

extern "C" {

/// The functions of a plug-in that reads and writes Parquet and Arrow files. If a function fails, it returns -1 (or null instead of a
/// pointer) and writes a zero-terminated text of at most `size` bytes to `error`; otherwise it returns 0 or more. They throw nothing, and
/// may be called by several threads at once.
struct copse_columnar_files {
  std::uint32_t version;  ///< copse_columnar_files_version

  /// Opens a Parquet file, or an Arrow file (either kind of IPC), memory-mapped or not. Returns null if the file is not of that kind.
  void* (*open)(const char* path, int is_parquet, int mapped, char* error, std::size_t size);
  void (*close)(void* file);
  int (*schema)(void* file, ArrowSchema* to, char* error, std::size_t size);
  /// The number of row groups or record batches; 1 for an IPC stream, which is read as a whole.
  std::int64_t (*parts)(void* file);
  /// The number of rows of one part; -1 if it is not known before the part is read.
  std::int64_t (*part_rows)(void* file, std::int64_t part);
  /// Reads the given columns of parts [begin, end), in batches. The stream may outlive the file; one thread reads the stream.
  int (*read)(void* file, const int* columns, int count, std::int64_t begin, std::int64_t end, ArrowArrayStream* to, char* error,
              std::size_t size);

  /// Begins to write a table with these columns, and takes ownership of the schema. Passes the bytes of the file in order to put(context,
  /// bytes, count), which returns non-zero if it fails. Returns null if the table cannot be written. One thread at a time writes a table.
  void* (*create)(ArrowSchema* columns, int is_parquet, int (*put)(void* context, const void* bytes, std::int64_t count), void* context,
                  char* error, std::size_t size);
  /// Appends rows to the table, and takes ownership of them.
  int (*append)(void* table, ArrowArray* rows, char* error, std::size_t size);
  /// Writes the end of the file, after the last append().
  int (*finish)(void* table, char* error, std::size_t size);
  /// Frees a table that create() returned, finished or not.
  void (*discard)(void* table);
};

inline constexpr std::uint32_t copse_columnar_files_version = 2;
/// The text that the plug-in writes to `error` when memory runs out.
inline constexpr const char* copse_columnar_out_of_memory = "out of memory";

/// The symbol that a plug-in exports.
const copse_columnar_files* copse_columnar_plugin();
}
