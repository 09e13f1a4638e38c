// Arrays into files: the header of `.npy`, and numbers of a width that is not the memory's.
#pragma once
#include <copse/io/write.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace copse::io {

/// What an `.npy` of unsigned numbers begins with (version 1): the header is a line of Python, padded so that the data is aligned to 64
/// bytes. `shape` as Python writes it between the brackets: `5,` or `5, 2`.
inline void write_npy_header(output_file& file, unsigned width, const std::string& shape) {
  std::string header = "{'descr': '<u" + std::to_string(width) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ').append("\n");
  const auto size = static_cast<std::uint16_t>(header.size());
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(&size, sizeof size);
  file.write(header.data(), header.size());
}

/// Numbers of one width on their way into a file.
template <class T>
class array_writer {
public:
  explicit array_writer(output_file& file) : file_{file} { pending_.reserve(block); }
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
  output_file& file_;
  std::vector<T> pending_;
};

}  // namespace copse::io
