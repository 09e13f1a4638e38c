// What the commands about thresholds begin with: the weights of a GRAPH and its maximum spanning forest.
#pragma once
#include <copse/weighted_forest.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"

namespace copse::cli {

/// GPUs that find a forest: one, or several of which it is the first; none: the CPU does.
struct chosen_gpus {
  std::optional<unsigned> gpu = std::nullopt;
  std::vector<unsigned> gpus = {};
};

/// Reads the graph and keeps the forest alone, or the graph too. GPUs take edges that are held.
struct strongest_forest {
  strongest_forest(const input_options& options, resources& context, const std::string& asked_by, bool keep_graph = false,
                   const chosen_gpus& where = {});

  weighted_graph graph;      ///< if it was to be kept
  io::edge_numbers numbers;  ///< the numbers of its edges in the file
  weighted_forest_result forest;
  std::uint64_t edges = 0;  ///< of the graph
  double read_seconds = 0;
};

/// `.5,.9`; nothing unless all are finite numbers.
std::optional<std::vector<double>> numbers_with_commas(const std::string& text);

}  // namespace copse::cli
