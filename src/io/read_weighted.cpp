// Graphs with weights: lists of edges through the collecting sink, which keeps the order of the file; rows one arc after the other.
#include "io/all_weights.hpp"
#include "io/collect.hpp"
#include "io/packed_rows.hpp"
#include "io/readers.hpp"
#include "io/weighted_rows.hpp"

#include <copse/errors.hpp>
#include <copse/weighted_graph.hpp>

#include <utility>

namespace copse::io {
namespace {

weighted_graph read_weighted_egr(const std::filesystem::path& path, const read_options& options) {
  const rows_file file = open_egr(path, options);
  const graph rows = rows_of(file.offsets, file.targets, options);
  if (file.weights.empty() && file.arcs() != 0) refuse_min_weight(file.source->name(), options);
  return weighted_list(rows, file.source->name(), options,
                       [&](std::uint64_t i) { return static_cast<double>(load<std::int32_t>(file.weights.data() + 4 * i)); });
}

}  // namespace

weighted_graph read_weighted_graph(const std::filesystem::path& path, const read_options& asked) {
  const read_options options = with_all_weights(asked);
  const format f = options.format ? *options.format : format_of(path);
  refuse_what_it_lacks(path, f, options);
  if (is_edge_list(f) && !options.weight_column) {
    throw usage_error{path.string() + ": found no column of weights, expected its number: an edge list does not say which it is"};
  }
  switch (f) {
    case format::egr:
      return read_weighted_egr(path, options);
    case format::npz:
      return read_weighted_npz(path, options);
    case format::metis:
      return weighted_list(read_weighted_metis(path, options), path.string(), options);
    case format::adj:
      return weighted_list(read_weighted_adj(path, options), path.string(), options);
    case format::edges:
    case format::csv:
    case format::mtx:
    case format::dimacs:
      break;
    default:
      throw input_error::at(path.string(), 0, "a file of the format " + std::string{to_string(f)},
                            "weights, which are read from edges, csv, mtx, metis, dimacs, adj, npz and egr");
  }
  weighted_collecting_sink sink{options};
  parse(path, options, sink);
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights()}};
}

}  // namespace copse::io
