// ECL graphs (ECLgraph.h): int32 vertices, int32 arcs, int32 offsets[vertices + 1], int32 targets[arcs], and int32 weights[arcs] or
// nothing.
#include "io/packed_rows.hpp"
#include "io/readers.hpp"

#include <utility>

namespace copse::io {

rows_file open_egr(const std::filesystem::path& path, const read_options& options) {
  auto source = std::make_unique<binary_source>(path, options);
  const std::uint64_t vertices = source->count<std::int32_t>("number of vertices");
  const std::uint64_t arcs = source->count<std::int32_t>("number of arcs");
  const std::uint64_t offsets_at = source->position();
  const packed_integers offsets{source->take(vertices + 1, 4, "offsets"), 4, true, offsets_at, source->name()};
  const std::uint64_t targets_at = source->position();
  const packed_integers targets{source->take(arcs, 4, "targets"), 4, true, targets_at, source->name()};
  if (source->remaining() == 0) return {std::move(source), offsets, targets, {}};
  const std::string_view weights = source->take(arcs, 4, "weights");
  source->expect_end("the weights");
  return {std::move(source), offsets, targets, weights};
}

graph read_egr(const std::filesystem::path& path, const read_options& options) {
  const rows_file file = open_egr(path, options);
  if (file.weights.empty()) {
    if (file.arcs() != 0) refuse_min_weight(file.source->name(), options);
    return rows_of(file.offsets, file.targets, options);
  }
  if (!options.min_weight) return rows_of(file.offsets, file.targets, options);
  return rows_of(file.offsets, file.targets, options,
                 [&](std::uint64_t i) { return load<std::int32_t>(file.weights.data() + 4 * i) >= *options.min_weight; });
}

}  // namespace copse::io
