// Graphs with weights: lists of edges through the collecting sink, which keeps the order of the file; rows one arc after the other.
#include "io/collect.hpp"
#include "io/edge_batch.hpp"
#include "io/npz_weights.hpp"
#include "io/packed_rows.hpp"
#include "io/readers.hpp"
#include "io/weighted_rows.hpp"

#include <copse/errors.hpp>
#include <copse/weighted_graph.hpp>

#include <limits>
#include <utility>
#include <variant>

namespace copse::io {
namespace {

/// Arc i of the rows has the weight `weight(i)`; those that are lighter than asked for are left out.
weighted_graph list_of(const graph& rows, const std::string& file, const read_options& options,
                       const std::function<double(std::uint64_t)>& weight) {
  weighted_collecting_sink sink{options};
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.targets; }) {
          const std::uint64_t n = view.vertices();
          sink.begin({.vertices = n, .first_id = rows.names().first_id().value_or(0), .edges = view.arcs(), .workers = 1, .named = false});
          edge_batch batch{sink, 0};
          for (std::uint64_t u = 0; u < n; ++u) {
            for (std::uint64_t a = view.offsets[u]; a < view.offsets[u + 1]; ++a) {
              const double w = weight(a);
              if (w != w) throw input_error::at(file, 0, "not a number as weight of entry " + std::to_string(a), "numbers");
              if (w >= *options.min_weight) batch.push(u, view.targets[a], w);
            }
          }
          batch.flush();
          sink.finish();
        }
      },
      rows.view());
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights()}};
}

weighted_graph read_weighted_egr(const std::filesystem::path& path, const read_options& options) {
  const rows_file file = open_egr(path, options);
  const graph rows = rows_of(file.offsets, file.targets, options);
  if (file.weights.empty() && file.arcs() != 0) refuse_min_weight(file.source->name(), options);
  return list_of(rows, file.source->name(), options,
                 [&](std::uint64_t i) { return static_cast<double>(load<std::int32_t>(file.weights.data() + 4 * i)); });
}

weighted_graph list_of(const weighted_rows& read, const std::string& file, const read_options& options) {
  return list_of(read.rows, file, options, [&](std::uint64_t i) { return read.weights[i]; });
}

}  // namespace

weighted_graph read_weighted_graph(const std::filesystem::path& path, const read_options& asked) {
  read_options options = asked;
  if (!options.min_weight) options.min_weight = -std::numeric_limits<double>::infinity();  // all weights, but they are looked at
  const format f = options.format ? *options.format : format_of(path);
  refuse_what_it_lacks(path, f, options);
  if (is_edge_list(f) && !options.weight_column) {
    throw usage_error{path.string() + ": found no column of weights, expected its number: an edge list does not say which it is"};
  }
  switch (f) {
    case format::egr:
      return read_weighted_egr(path, options);
    case format::npz: {
      read_options all = options;
      all.min_weight.reset();
      const npz_weights weights{path, options};
      return list_of(read_npz(path, all), path.string(), options, [&](std::uint64_t i) { return weights[i]; });
    }
    case format::metis:
      return list_of(read_weighted_metis(path, options), path.string(), options);
    case format::adj:
      return list_of(read_weighted_adj(path, options), path.string(), options);
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
