// Reads and writes arrays as `.npy` files and as members of `.npz` archives.
#pragma once
#include "io/binary_source.hpp"

#include <copse/io.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// An array that was read from the npy format, version 1 to 3.
struct npy_array {
  char kind = 'i';       ///< i signed, u unsigned, f floating point, b bool, S bytes
  unsigned width = 8;    ///< bytes per item
  bool fortran = false;  ///< true if stored in column-major (Fortran) order
  std::vector<std::uint64_t> shape;
  std::uint64_t data_at = 0;     ///< offset of the first item in the file
  std::uint64_t data_bytes = 0;  ///< size in bytes of an array of that shape
  std::string_view data;         ///< the bytes of the items; empty if only the header was read
  std::string dtype;             ///< the type as the header has it, for error messages

  [[nodiscard]] std::uint64_t size() const noexcept { return width == 0 ? 0 : data.size() / width; }
};

/// Reads a stream up to the first item of an array; returns fewer bytes if the stream ends before, or does not hold an array.
std::pmr::string read_npy_head(byte_stream& from, std::pmr::memory_resource* memory);
/// Parses the header of the array that `bytes` begin with. `file` is the name for error messages.
npy_array npy_head_of(std::string_view file, std::string_view bytes);
/// Throws input_error unless `bytes`, the size of the data after the header, is the size that the header implies.
void expect_data(std::string_view file, const npy_array& array, std::uint64_t bytes);

/// Parses `bytes`, which must be one array and nothing else. `file` is the name for error messages (it may name a member: `a.npz
/// (indptr.npy)`).
npy_array npy_array_of(std::string_view file, std::string_view bytes);

/// The items of an array as integers; throws input_error for other types. `file` and `array` must outlive the result.
packed_integers integers_of(std::string_view file, const npy_array& array, std::string_view what);

/// The shape as numpy writes it, such as `(3, 2)`.
std::string shape_text(const npy_array& array);

/// The header of an `.npy` file (version 1): a Python literal, padded to align the data to 64 bytes. `kind` is u, i, f, or S (strings of
/// `width` bytes); `width` is the size of an item in bytes; `shape` has the length of each dimension.
inline std::string npy_header(char kind, std::uint64_t width, std::initializer_list<std::uint64_t> shape) {
  std::string header =
      std::string{"{'descr': '"} + (kind == 'S' ? '|' : '<') + kind + std::to_string(width) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t length : shape) header += std::to_string(length) + ", ";
  header.erase(header.size() - (shape.size() > 1 ? 2 : 1));  // a Python tuple of one item keeps its trailing comma
  header += "), }";
  constexpr std::size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ').append("\n");
  constexpr unsigned byte = 256;
  std::string whole{"\x93NUMPY\x01\x00", 8};
  whole += static_cast<char>(header.size() % byte);
  whole += static_cast<char>(header.size() / byte);
  return whole + header;
}

inline void write_npy_header(output_file& file, char kind, unsigned width, std::initializer_list<std::uint64_t> shape) {
  const std::string header = npy_header(kind, width, shape);
  file.write(header.data(), header.size());
}

/// Writes numbers to a file or to a member of an archive, converted to type T.
template <class T, class File = output_file>
class array_writer {
public:
  explicit array_writer(File& file) : file_{file} { pending_.reserve(block); }
  void put(std::uint64_t value) {
    pending_.push_back(static_cast<T>(value));
    if (pending_.size() == block) flush();
  }
  void flush() {
    file_.write(pending_.data(), pending_.size() * sizeof(T));
    pending_.clear();
  }

private:
  static constexpr std::size_t block = std::size_t{1} << 14;
  File& file_;
  std::vector<T> pending_;
};

}  // namespace copse::io
