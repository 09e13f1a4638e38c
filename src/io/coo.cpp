// Raw little-endian pairs without a header: of uint32 in `.coo`, of uint64 in `.coo64` (with .gz or .zst behind it or not). The ids that
// occur are the vertices, as in an edge list in text.
#include "io/pairs.hpp"
#include "io/readers.hpp"

namespace copse::io {
namespace {

bool is_wide(const std::filesystem::path& path) {
  const auto name = path.filename();
  const auto last = name.extension();
  return (last == ".gz" || last == ".zst" ? name.stem().extension() : last) == ".coo64";
}

}  // namespace

void parse_coo(const std::filesystem::path& path, const read_options& options, edge_sink& sink) {
  binary_source source{path, options};
  const unsigned width = is_wide(path) ? 8 : 4;
  if (source.bytes().size() % (2 * width) != 0) {
    throw input_error::at(source.name(), 0, std::to_string(source.bytes().size()) + " bytes",
                          "pairs of " + std::to_string(width) + "-byte ids, a multiple of " + std::to_string(2 * width) + " bytes");
  }
  const packed_integers all{source.bytes(), width, false, 0, source.name()};
  pass_on({all, all.size() / 2, 1, 2}, options, sink);
}

}  // namespace copse::io
