// Rows with the weight of every arc, as formats of rows hold them.
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

/// Text (METIS, adjacency).
struct weighted_rows {
  graph rows;
  buffer<double> weights;  ///< one for each arc, in their order; NaN where it is missing
  bool weighted = true;    ///< false if the file holds no weights
};

/// What becomes of a file that has arcs but no weights: it is refused, or read without them.
enum class weights_are : std::uint8_t { needed, welcome };

/// The arcs as edges, in their order, but those that are lighter than options.min_weight or lack a weight; arc i weighs `weight(i)`, which
/// has this precision, and refuse(i) throws where it is not a number.
weighted_graph weighted_list(const graph& rows, const std::string& file, const read_request& options, weight_precision precision,
                             const std::function<double(std::uint64_t)>& weight, const std::function<void(std::uint64_t)>& refuse);
weighted_graph weighted_list(const weighted_rows& read, const std::string& file, const read_request& options);

/// Reads as read_with_any_weights() does, a format that `read_rows(path, options, weights_are)` reads. That function throws input_error,
/// with its line, for a weight that is not a number.
template <class Read>
perhaps_weighted_graph read_any_rows(const std::filesystem::path& path, const read_request& asked, Read read_rows) {
  const read_request options = with_all_weights(asked);
  weighted_rows read = read_rows(path, options, asked.min_weight ? weights_are::needed : weights_are::welcome);
  if (!read.weighted) return {std::move(read.rows), std::nullopt};
  auto [edges, weights] = weighted_list(read, path.string(), options);
  return {std::move(edges), std::move(weights)};
}

/// The arcs that weigh options.min_weight or more.
graph heavy_arcs(const weighted_rows& all, const std::string& file, const read_request& options);

/// Throws input_error where one of `count` weights is not a number, which refuse(i) words, unless NaN stands for a missing value. Notes
/// what the rule has to say.
void judge_weights(weight_rule& rule, std::uint64_t count, const std::string& file, const std::function<double(std::uint64_t)>& weight,
                   const std::function<void(std::uint64_t)>& refuse);

}  // namespace copse::io
