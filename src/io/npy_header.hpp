// What an `.npy` begins with (version 1): the header is a line of Python, padded so that the data is aligned to 64 bytes.
#pragma once
#include <copse/io.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace copse::io {

/// `kind`: u or i; `width`: bytes per item; `shape`: the lengths of all dimensions.
inline void write_npy_header(output_file& file, char kind, unsigned width, std::initializer_list<std::uint64_t> shape) {
  std::string header = std::string{"{'descr': '<"} + kind + std::to_string(width) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t length : shape) header += std::to_string(length) + ", ";
  header.erase(header.size() - (shape.size() > 1 ? 2 : 1));  // Python's tuple of one keeps its comma
  header += "), }";
  constexpr std::size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ').append("\n");
  const auto size = static_cast<std::uint16_t>(header.size());
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(&size, sizeof size);
  file.write(header.data(), header.size());
}

}  // namespace copse::io
