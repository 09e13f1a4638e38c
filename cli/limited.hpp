// Components of at most so many vertices: single linkage on the weights that stops in time, and every edge at which it did.
#pragma once
#include <copse/weighted_forest.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "solution.hpp"

namespace copse::cli {

struct limited_options {
  std::optional<std::uint64_t> most;  ///< --max-size
  std::string cuts;                   ///< --cuts

  void add_options(CLI::App& app);
  /// Throws where options are given that the other way of solving has alone.
  void require_sense(const input_options& input, const solver_options& solver) const;
};

struct limited_solution {
  solution solved;      ///< labels, and what the forest took
  weighted_graph held;  ///< only for a proof
  weighted_forest_result forest;
  std::vector<std::uint64_t> cuts;  ///< edges of the forest, the heaviest first

  void write_cuts(const std::string& path) const;
  /// Proves the forest. Empty when it is right. Precondition: the graph is held.
  [[nodiscard]] std::string fault() const;
};

/// Reads the graph with its weights; keeps it if it is to be proved.
limited_solution solve_limited(const input& graph, const solver_options& options, std::uint64_t most, resources& context);

}  // namespace copse::cli
