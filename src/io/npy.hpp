// Arrays of `.npy` files, or of members of an `.npz`, both ways.
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

/// An array that was read; versions 1 to 3 of the header.
struct npy_array {
  char kind = 'i';       ///< i signed, u unsigned, f floating point, b bool, S bytes
  unsigned width = 8;    ///< bytes per item
  bool fortran = false;  ///< columns first
  std::vector<std::uint64_t> shape;
  std::uint64_t data_at = 0;     ///< byte of the file where the items begin
  std::uint64_t data_bytes = 0;  ///< bytes of all items of that shape
  std::string_view data;         ///< the items, where they are in memory
  std::string dtype;             ///< as written, for refusals

  [[nodiscard]] std::uint64_t size() const noexcept { return width == 0 ? 0 : data.size() / width; }
};

/// Reads the bytes of a stream before the data of an array; fewer if it ends before, or holds no array.
std::pmr::string read_npy_head(byte_stream& from, std::pmr::memory_resource* memory);
/// Parses the header of an array that begins with `bytes`. `file` names it in errors.
npy_array npy_head_of(std::string_view file, std::string_view bytes);
/// Throws unless the `bytes` behind the header are as many as the array says.
void expect_data(std::string_view file, const npy_array& array, std::uint64_t bytes);

/// `bytes` are one array and nothing else. `file` is the name for error messages (it may name a member: `a.npz (indptr.npy)`).
npy_array npy_array_of(std::string_view file, std::string_view bytes);

/// The items of an array as integers; refuses other kinds. `file` and `array` must outlive the result.
packed_integers integers_of(std::string_view file, const npy_array& array, std::string_view what);

/// `(3, 2)`, as numpy writes it.
std::string shape_text(const npy_array& array);

/// What an `.npy` begins with (version 1): a line of Python, padded so that the data is aligned to 64 bytes. `kind`: u, i, f, or S (bytes
/// of that width); `width`: bytes per item; `shape`: the lengths of all dimensions.
inline std::string npy_header(char kind, std::uint64_t width, std::initializer_list<std::uint64_t> shape) {
  std::string header =
      std::string{"{'descr': '"} + (kind == 'S' ? '|' : '<') + kind + std::to_string(width) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t length : shape) header += std::to_string(length) + ", ";
  header.erase(header.size() - (shape.size() > 1 ? 2 : 1));  // Python's tuple of one keeps its comma
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

/// Writes numbers to a file or a member of an archive, in a width other than that in memory.
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
