// What the commands about thresholds begin with: the weights of a GRAPH and its maximum spanning forest.
#pragma once
#include <copse/weighted_forest.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"

namespace copse::cli {

/// Reads the graph and keeps the forest alone, or the graph too.
struct strongest_forest {
  strongest_forest(const input_options& options, resources& context, const std::string& asked_by, bool keep_graph = false);

  weighted_graph graph;  ///< if it was to be kept
  weighted_forest_result forest;
  std::uint64_t edges = 0;  ///< of the graph
  double read_seconds = 0;
};

/// `.5,.9`; nothing unless all are finite numbers.
std::optional<std::vector<double>> numbers_with_commas(const std::string& text);

}  // namespace copse::cli
