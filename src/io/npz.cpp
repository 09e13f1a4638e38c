// Square sparse matrices in `.npz` as graphs. Every stored entry is an arc; a csc is the graph with its arcs reversed, which has the same
// weak components. A least weight keeps the entries whose number is at least that.
#include "io/all_weights.hpp"
#include "io/believed_head.hpp"
#include "io/collect.hpp"
#include "io/edge_batch.hpp"
#include "io/npz_matrix.hpp"
#include "io/packed_rows.hpp"
#include "io/readers.hpp"
#include "io/weighted_rows.hpp"

#include <copse/build.hpp>

#include <limits>
#include <utility>

namespace copse::io {
namespace {

/// Rows and columns of entries do not tell how long a matrix is.
void refuse_unlikely_side(const npz_matrix& matrix, const read_options& options) {
  refuse_unlikely_vertices(matrix.file(), 0, matrix.side(), matrix.file_bytes(), options);
}

/// The row or the column of entry i in coordinates.
std::uint64_t place(const npz_matrix& matrix, const packed_integers& from, std::uint64_t i) {
  const auto value = from.with_type([&]<class T>(T) { return static_cast<std::uint64_t>(load<T>(from.bytes.data() + i * sizeof(T))); });
  if (value >= matrix.side()) from.refuse(i, "the index", "one below " + std::to_string(matrix.side()));
  return value;
}

template <unsigned_index Id>
graph rows_from_pairs(const npz_matrix& matrix, const read_options& options, const arc_filter& keep) {
  refuse_unlikely_side(matrix, options);
  coo<Id> list{static_cast<Id>(matrix.side()), {}};
  std::uint64_t kept = matrix.entries();
  if (keep) {
    kept = 0;
    for (std::uint64_t i = 0; i < matrix.entries(); ++i) kept += keep(i) ? 1 : 0;
  }
  list.edges = buffer<edge<Id>>{kept, options.memory};
  std::uint64_t to = 0;
  for (std::uint64_t i = 0; i < matrix.entries(); ++i) {
    const edge<Id> e{static_cast<Id>(place(matrix, matrix.major(), i)), static_cast<Id>(place(matrix, matrix.minor(), i))};
    if (!keep || keep(i)) list.edges[to++] = e;
  }
  build_options building;
  building.symmetrise = building.drop_duplicates = building.drop_loops = false;
  building.threads = options.threads;
  building.observer = options.observer;
  building.memory = options.memory;
  return build_csr(graph_view{list.view()}, building);
}

/// Looks at all weights: refuses those that are no numbers, and notes what there is to say of them.
void judge_data(const npz_matrix& matrix, weight_rule& rule) {
  judge_weights(
      rule, matrix.entries(), matrix.file(), [&](std::uint64_t i) { return matrix.weight(i); },
      [&](std::uint64_t i) { matrix.refuse_weight(i); });
}

/// Entries with their weights, as they come.
weighted_graph list_from_pairs(const npz_matrix& matrix, const read_options& options) {
  refuse_unlikely_side(matrix, options);
  weight_rule rule{options, matrix.precision()};
  judge_data(matrix, rule);
  weighted_collecting_sink sink{options};
  sink.begin({.vertices = matrix.side(), .first_id = 0, .edges = matrix.entries(), .workers = 1, .named = false});
  edge_batch batch{sink, 0};
  for (std::uint64_t i = 0; i < matrix.entries(); ++i) {
    const std::uint64_t u = place(matrix, matrix.major(), i), v = place(matrix, matrix.minor(), i);
    if (const double weight = matrix.weight(i); rule.takes(weight)) batch.push(u, v, weight);
  }
  batch.flush();
  sink.finish();
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights(), matrix.precision()}};
}

graph read_plain(const npz_matrix& matrix, const read_options& options, const arc_filter& keep) {
  if (!matrix.coordinates()) return rows_of(matrix.major(), matrix.minor(), options, keep);
  return matrix.side() <= std::numeric_limits<std::uint32_t>::max() ? rows_from_pairs<std::uint32_t>(matrix, options, keep)
                                                                    : rows_from_pairs<std::uint64_t>(matrix, options, keep);
}

weighted_graph read_weighted(const npz_matrix& matrix, const read_options& options) {
  if (matrix.coordinates()) return list_from_pairs(matrix, options);
  const graph rows = rows_of(matrix.major(), matrix.minor(), options);
  return weighted_list(
      rows, matrix.file(), options, matrix.precision(), [&](std::uint64_t i) { return matrix.weight(i); },
      [&](std::uint64_t i) { matrix.refuse_weight(i); });
}

}  // namespace

graph read_npz(const std::filesystem::path& path, const read_options& options) {
  const npz_matrix matrix{path, options, options.min_weight ? npz_matrix::numbers::read : npz_matrix::numbers::unread};
  if (!options.min_weight) return read_plain(matrix, options, {});
  weight_rule rule{options, matrix.precision()};
  judge_data(matrix, rule);
  return read_plain(matrix, options, [&](std::uint64_t i) { return rule.takes(matrix.weight(i)); });
}

weighted_graph read_weighted_npz(const std::filesystem::path& path, const read_options& options) {
  return read_weighted(npz_matrix{path, options, npz_matrix::numbers::read}, options);
}

perhaps_weighted_graph read_any_npz(const std::filesystem::path& path, const read_options& options) {
  const npz_matrix matrix{path, options, npz_matrix::numbers::read};
  if (!options.min_weight && matrix.all_ones()) return {read_plain(matrix, options, {}), std::nullopt};
  auto [edges, weights] = read_weighted(matrix, with_all_weights(options));
  return {std::move(edges), std::move(weights)};
}

}  // namespace copse::io
