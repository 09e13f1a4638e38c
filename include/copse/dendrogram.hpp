// Single linkage from a maximum spanning forest, by many threads or on a GPU.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/hierarchy.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/weighted_graph.hpp>

#include <optional>
#include <string>
#include <vector>

namespace copse {

struct dendrogram_result {
  buffer<hierarchy::merge> merges;  ///< n - 1 of them, by ascending height
  /// Phases: sort, contract, merges; on a GPU these by its clock, between copy in and copy out; of few threads sweep.
  solve_report report;
};

/// What hierarchy::linkage() gives, row for row; by recursive contraction where that takes less time than the sweep, which is one thread's.
/// `forest` is a list of edges without a cycle, as weighted_forest() finds them; `top` is where components join last, without it twice the
/// largest height, or 1 if that is 0. A GPU takes 32-bit ids, below 2^31 vertices. O(n log n) work; about 100 bytes per vertex beside the
/// merges. Throws usage_error for rows, for columns of different length, for a top below the largest height, and for a GPU that it cannot
/// use; input_error for weights that are infinite or no numbers; resource_error, cancelled.
dendrogram_result dendrogram(const graph& forest, weights_view weights, std::optional<double> top = std::nullopt, const execution& on = {});

}  // namespace copse
