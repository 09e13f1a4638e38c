// ECL graphs (ECLgraph.h): int32 vertices, int32 arcs, int32 offsets[vertices + 1], int32 targets[arcs], and int32 weights[arcs] or
// nothing.
#include "io/binary_source.hpp"
#include "io/readers.hpp"
#include "io/weight_rule.hpp"
#include "io/weighted_rows.hpp"

#include <utility>

namespace copse::io {

rows_file open_egr(const std::filesystem::path& path, const read_request& options) {
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

namespace {

void all_are_numbers(std::uint64_t /*arc*/) {}

weighted_graph with_weights(const rows_file& file, const read_request& options) {
  const graph rows = rows_of(file.offsets, file.targets, options);
  return weighted_list(
      rows, file.source->name(), options, weight_precision::full,
      [&](std::uint64_t i) { return static_cast<double>(load<std::int32_t>(file.weights.data() + 4 * i)); }, all_are_numbers);
}

}  // namespace

weighted_graph read_weighted_egr(const std::filesystem::path& path, const read_request& options) {
  const rows_file file = open_egr(path, options);
  if (file.weights.empty() && file.arcs() != 0) refuse_min_weight(file.source->name(), options);
  return with_weights(file, options);
}

perhaps_weighted_graph read_any_egr(const std::filesystem::path& path, const read_request& options) {
  const rows_file file = open_egr(path, options);
  if (file.weights.empty() && !options.min_weight) return {rows_of(file.offsets, file.targets, options), std::nullopt};
  if (file.weights.empty() && file.arcs() != 0) refuse_min_weight(file.source->name(), options);
  auto [edges, weights] = with_weights(file, with_all_weights(options));
  return {std::move(edges), std::move(weights)};
}

graph read_egr(const std::filesystem::path& path, const read_request& options) {
  const rows_file file = open_egr(path, options);
  if (file.weights.empty()) {
    if (file.arcs() != 0) refuse_min_weight(file.source->name(), options);
    return rows_of(file.offsets, file.targets, options);
  }
  if (!options.min_weight) return rows_of(file.offsets, file.targets, options);
  const auto weight = [&](std::uint64_t i) { return static_cast<double>(load<std::int32_t>(file.weights.data() + 4 * i)); };
  weight_rule rule{options};
  judge_weights(rule, file.arcs(), file.source->name(), weight, all_are_numbers);
  return rows_of(file.offsets, file.targets, options, [&](std::uint64_t i) { return rule.takes(weight(i)); });
}

}  // namespace copse::io
