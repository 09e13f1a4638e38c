// Edge lists as numpy.save writes them: an integer array of shape (m, 2), or (2, m) with all u before all v as PyTorch Geometric keeps
// them; (2, 2) is two edges, a row each. C or Fortran order. The ids that occur are the vertices.
#include "io/npy_array.hpp"
#include "io/pairs.hpp"
#include "io/readers.hpp"

namespace copse::io {

void parse_npy(const std::filesystem::path& path, const read_options& options, edge_sink& sink, part_of_file part) {
  const binary_source source{path, options};
  const npy_array array = npy_array_of(source.name(), source.bytes());
  const packed_integers all = integers_of(source.name(), array, "the ids");
  const bool pairs = array.shape.size() == 2 && array.shape[1] == 2;
  if (!pairs && !(array.shape.size() == 2 && array.shape[0] == 2)) {
    refuse_byte(source.name(), 10, "the shape " + shape_text(array), "two columns (m, 2) or two rows (2, m)");
  }
  const std::uint64_t count = all.size() / 2, begin = part.begin_of(part.index, count), end = part.begin_of(part.index + 1, count);
  if (pairs != array.fortran) {
    pass_on({all, begin, end, 1, 2}, options, sink);
  } else {
    pass_on({all, begin, end, count, 1}, options, sink);
  }
}

}  // namespace copse::io
