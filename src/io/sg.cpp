// GAP serialized graphs (writer.h of the GAP Benchmark Suite): bool directed, int64 arcs, int64 vertices, int64 offsets[vertices + 1],
// int32 targets[arcs]; for a directed graph, the offsets and targets of the reversed arcs follow, which are ignored.
#include "io/binary_source.hpp"
#include "io/readers.hpp"

#include <limits>
#include <utility>

namespace copse::io {

rows_file open_sg(const std::filesystem::path& path, const read_request& options) {
  auto source = std::make_unique<binary_source>(path, options);
  refuse_min_weight(source->name(), options);
  const auto directed = load<unsigned char>(source->take(1, 1, "flag (directed or not)").data());
  if (directed > 1) refuse_byte(source->name(), 0, "the value " + std::to_string(directed), "0 (undirected) or 1 (directed)");
  const std::uint64_t arcs = source->count<std::int64_t>("number of arcs");
  const std::uint64_t vertices = source->count<std::int64_t>("number of vertices");
  if (vertices > std::numeric_limits<std::int32_t>::max()) {
    refuse_byte(source->name(), source->position() - 8, std::to_string(vertices) + " vertices",
                "at most 2147483647, because ids are of 32 bits");
  }
  const std::uint64_t offsets_at = source->position();
  const packed_integers offsets{source->take(vertices + 1, 8, "offsets"), 8, true, offsets_at, source->name()};
  const std::uint64_t targets_at = source->position();
  const packed_integers targets{source->take(arcs, 4, "targets"), 4, true, targets_at, source->name()};
  if (directed == 1 && source->remaining() != 0) {
    source->take(vertices + 1, 8, "offsets of the arcs turned round");
    source->take(arcs, 4, "targets of the arcs turned round");
  }
  source->expect_end("the targets");
  return {std::move(source), offsets, targets, {}};
}

graph read_sg(const std::filesystem::path& path, const read_request& options) {
  const rows_file file = open_sg(path, options);
  return rows_of(file.offsets, file.targets, options);
}

}  // namespace copse::io
