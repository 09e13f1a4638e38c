// Rows with a weight for every arc.
#pragma once
#include "io/weight_rule.hpp"

#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/weighted_graph.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace copse::io {

/// Rows and weights read from a text format (METIS, adjacency).
struct weighted_rows {
  graph rows;
  buffer<double> weights;  ///< one for each arc, in their order; NaN if the weight is missing
  bool weighted = true;    ///< false if the file holds no weights
};

/// What to do with a file that has arcs but no weights: refuse it, or read it without weights.
enum class weights_are : std::uint8_t { needed, welcome };

/// The arcs as a list of edges, in their order, without those that are lighter than options.min_weight or lack a weight. Arc i has the
/// weight `weight(i)`, of this precision; refuse(i) must throw for a weight that is not a number.
weighted_graph weighted_list(const graph& rows, const std::string& file, const read_request& options, weight_precision precision,
                             const std::function<double(std::uint64_t)>& weight, const std::function<void(std::uint64_t)>& refuse);
weighted_graph weighted_list(const weighted_rows& read, const std::string& file, const read_request& options);

/// Implements read_with_any_weights(): reads a file with its weights, or without if it has none (an error if there is a least weight).
/// `read_rows(path, options, weights_are)` reads the format, and must throw input_error with the line for a weight that is not a number.
template <class Read>
perhaps_weighted_graph read_any_rows(const std::filesystem::path& path, const read_request& asked, Read read_rows) {
  const read_request options = with_all_weights(asked);
  weighted_rows read = read_rows(path, options, asked.min_weight ? weights_are::needed : weights_are::welcome);
  if (!read.weighted) return {std::move(read.rows), std::nullopt};
  auto [edges, weights] = weighted_list(read, path.string(), options);
  return {std::move(edges), std::move(weights)};
}

/// The rows without the arcs that are lighter than options.min_weight.
graph heavy_arcs(const weighted_rows& all, const std::string& file, const read_request& options);

/// Checks `count` weights: calls refuse(i), which must throw input_error, for a weight that is not a number, unless NaN stands for a
/// missing value. Notes for the observer how many weights are missing, and if none reaches the least weight that the caller asked for.
void judge_weights(weight_rule& rule, std::uint64_t count, const std::string& file, const std::function<double(std::uint64_t)>& weight,
                   const std::function<void(std::uint64_t)>& refuse);

}  // namespace copse::io
