// One array of a `.npy` file (versions 1 to 3 of the header), or of a member of an `.npz`.
#pragma once
#include "io/binary_source.hpp"

#include <vector>

namespace copse::io {

struct npy_array {
  char kind = 'i';       ///< i signed, u unsigned, f floating point, b bool, S bytes
  unsigned width = 8;    ///< bytes per item
  bool fortran = false;  ///< columns first
  std::vector<std::uint64_t> shape;
  std::string_view data;
  std::uint64_t data_at = 0;  ///< byte of the file where they begin
  std::string dtype;          ///< as written, for refusals

  [[nodiscard]] std::uint64_t size() const noexcept { return width == 0 ? 0 : data.size() / width; }
};

/// `bytes` are one array and nothing else. `file` is the name for error messages (it may name a member: `a.npz (indptr.npy)`).
npy_array npy_array_of(std::string_view file, std::string_view bytes);

/// Its items as integers; refuses other kinds. `file` and `array` must outlive the result.
packed_integers integers_of(std::string_view file, const npy_array& array, std::string_view what);

/// `(3, 2)`, as numpy writes it.
std::string shape_text(const npy_array& array);

}  // namespace copse::io
