// Exports tables to consumers of the Arrow C data interface: finished columns, as one batch.
#pragma once
#include <copse/arrow.h>
#include <copse/memory.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::arrow {

/// A column. The buffers are those of the Arrow interface; they point into `words` and `bytes`, or into what the table keeps.
struct ready_column {
  std::string name, format;
  buffer<std::uint64_t> words;  ///< integers, doubles as bits, or offsets of strings
  buffer<char> bytes;           ///< the bytes of strings
  std::array<const void*, 3> buffers{};
  bool nullable = false;
  std::int64_t nulls = 0;  ///< number of null rows, which are the zero bits of the first buffer

  /// Fills the column with 64-bit numbers: value(i) is the number of row i.
  template <class Value>
  void fill(std::size_t rows, const char* type, std::pmr::memory_resource* memory, Value value) {
    words = buffer<std::uint64_t>{rows, memory};
    for (std::size_t i = 0; i < rows; ++i) words[i] = value(i);
    format = type;
    buffers = {nullptr, words.data(), nullptr};
  }

  /// Fills the column with copies of strings: value(i) is the string of row i.
  template <class Value>
  void fill_strings(std::size_t rows, bool binary, std::pmr::memory_resource* memory, Value value) {
    words = buffer<std::uint64_t>{rows + 1, memory};
    words[0] = 0;
    for (std::size_t i = 0; i < rows; ++i) words[i + 1] = words[i] + std::string_view{value(i)}.size();
    bytes = buffer<char>{static_cast<std::size_t>(words[rows]), memory};
    for (std::size_t i = 0; i < rows; ++i) {
      const std::string_view text = value(i);
      text.copy(bytes.data() + words[i], text.size());
    }
    format = binary ? "Z" : "U";
    buffers = {nullptr, words.data(), bytes.empty() ? "" : bytes.data()};
  }
};

struct ready_table {
  std::shared_ptr<const void> kept;  ///< owner of what the columns point to, and of their memory; destroyed last
  std::int64_t rows = 0;
  std::vector<ready_column> columns;
};

/// Hands the table to a consumer, which must release the structures; they need not be initialised. Columns are not copied: they live until
/// the last consumer of any of them has released it. If std::bad_alloc is thrown, nothing was handed over.
void give_stream(std::shared_ptr<const ready_table> from, ArrowArrayStream& to);
void give_array(std::shared_ptr<const ready_table> from, ArrowSchema& schema, ArrowArray& array);

}  // namespace copse::arrow
