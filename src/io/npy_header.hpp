// What an `.npy` begins with (version 1): the header is a line of Python, padded so that the data is aligned to 64 bytes.
#pragma once
#include <copse/io.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace copse::io {

/// `kind`: u, i, f, or S (bytes of that width); `width`: bytes per item; `shape`: the lengths of all dimensions.
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

}  // namespace copse::io
