// Raw little-endian pairs without a header: of uint32 in `coo`, of uint64 in `coo64`. The ids that occur are the vertices, as in an edge
// list in text.
#include "io/binary_source.hpp"
#include "io/readers.hpp"

#include <algorithm>

namespace copse::io {
namespace {

void refuse_wide(std::string_view file, std::string_view bytes) {
  wide_pairs seen;
  for (std::size_t at = 0; at < bytes.size() && seen.possible(); at += 8) {
    seen.see(load<std::uint32_t>(bytes.data() + at), load<std::uint32_t>(bytes.data() + at + 4));
  }
  seen.refuse(file);
}

/// Where some of 64 bits are larger, most second ids are 0. That may be a star, so it is only noted.
bool may_be_wide(std::string_view bytes) {
  constexpr std::size_t fewest_pairs = 16, most_pairs = 4096;
  const std::size_t pairs = std::min(bytes.size() / 8, most_pairs);
  if (pairs < fewest_pairs || bytes.size() % 16 != 0) return false;
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < pairs; ++i) zeros += load<std::uint32_t>(bytes.data() + 8 * i + 4) == 0 ? 1 : 0;
  return 4 * zeros >= 3 * pairs;
}

}  // namespace

void parse_coo(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink, part_of_file part) {
  const binary_source source{path, options};
  const unsigned width = f == format::coo64 ? 8 : 4;
  if (source.bytes().size() % (2 * width) != 0) {
    throw input_error::at(source.name(), 0, std::to_string(source.bytes().size()) + " bytes",
                          "pairs of " + std::to_string(width) + "-byte ids, a multiple of " + std::to_string(2 * width) + " bytes");
  }
  if (width == 4) refuse_wide(source.name(), source.bytes());
  if (width == 4 && part.index == 0 && options.observer != nullptr && may_be_wide(source.bytes())) {
    options.observer->note(source.name() + ": most second ids are 0, as in pairs of 64-bit ids (the option format coo64 reads those)");
  }
  const packed_integers all{source.bytes(), width, false, 0, source.name()};
  const std::uint64_t count = all.size() / 2;
  pass_on({all, part.begin_of(part.index, count), part.begin_of(part.index + 1, count), 1, 2}, options, sink);
}

}  // namespace copse::io
