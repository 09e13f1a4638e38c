// .npy arrays made by hand.
#pragma once
#include "io/binary_harness.hpp"

namespace copse::testing {

/// An array as numpy.save writes it: the header padded to 64 bytes.
inline std::string npy(const std::string& dtype, bool fortran, const std::string& shape, const std::string& data, char version = 1) {
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  const std::size_t before = version == 1 ? 10 : 12;
  header.append(63 - (before + header.size()) % 64, ' ').append("\n");
  std::string bytes{"\x93NUMPY"};
  bytes += version;
  bytes += '\0';
  bytes += version == 1 ? packed<std::uint16_t>({static_cast<std::uint16_t>(header.size())})
                        : packed<std::uint32_t>({static_cast<std::uint32_t>(header.size())});
  return bytes + header + data;
}

}  // namespace copse::testing
