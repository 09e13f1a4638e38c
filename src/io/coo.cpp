// Raw little-endian pairs without a header: of uint32 in `coo`, of uint64 in `coo64`. The ids that occur are the vertices, as in an edge
// list in text.
#include "io/pairs.hpp"
#include "io/readers.hpp"

#include <algorithm>

namespace copse::io {
namespace {

/// Pairs of 64-bit ids that fit 32 bits look like pairs of 32-bit ids whose second one is always 0.
bool looks_wide(std::string_view bytes) {
  constexpr std::size_t fewest_bytes = 32;
  if (bytes.size() < fewest_bytes || bytes.size() % 16 != 0) return false;
  bool all_zero = true;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    if (load<std::uint32_t>(bytes.data() + at + 4) != 0) return false;
    all_zero = all_zero && load<std::uint32_t>(bytes.data() + at) == 0;
  }
  return !all_zero;
}

}  // namespace

void parse_coo(const std::filesystem::path& path, format f, const read_options& options, edge_sink& sink, part_of_file part) {
  const binary_source source{path, options};
  const unsigned width = f == format::coo64 ? 8 : 4;
  if (source.bytes().size() % (2 * width) != 0) {
    throw input_error::at(source.name(), 0, std::to_string(source.bytes().size()) + " bytes",
                          "pairs of " + std::to_string(width) + "-byte ids, a multiple of " + std::to_string(2 * width) + " bytes");
  }
  if (width == 4 && looks_wide(source.bytes())) {
    throw input_error::at(source.name(), 0, "pairs whose second id is 0 in all of them, as pairs of 64-bit ids look",
                          "pairs of 32-bit ids (--format coo64 reads the others)");
  }
  const packed_integers all{source.bytes(), width, false, 0, source.name()};
  const std::uint64_t count = all.size() / 2;
  pass_on({all, part.begin_of(part.index, count), part.begin_of(part.index + 1, count), 1, 2}, options, sink);
}

}  // namespace copse::io
