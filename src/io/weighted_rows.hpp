// Rows with the weight of every arc, as text formats of rows hold them (METIS, adjacency).
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/weighted_graph.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace copse::io {

struct weighted_rows {
  graph rows;
  buffer<double> weights;  ///< of the arcs, in their order
};

/// Throw input_error for a file that has arcs but no weights, and, with its line, for a weight that is not a number.
weighted_rows read_weighted_metis(const std::filesystem::path& path, const read_options& options);
weighted_rows read_weighted_adj(const std::filesystem::path& path, const read_options& options);

/// The arcs as edges, in their order, but those that are lighter than options.min_weight; arc i weighs `weight(i)`. `file` is for refusals.
weighted_graph weighted_list(const graph& rows, const std::string& file, const read_options& options,
                             const std::function<double(std::uint64_t)>& weight);
weighted_graph weighted_list(const weighted_rows& read, const std::string& file, const read_options& options);

/// The arcs that weigh options.min_weight or more.
graph heavy_arcs(const weighted_rows& all, const read_options& options);

}  // namespace copse::io
