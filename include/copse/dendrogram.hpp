// Single linkage from a maximum spanning forest, by many threads or on a GPU.
#pragma once
#include <copse/graph.hpp>
#include <copse/hierarchy.hpp>
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/report.hpp>
#include <copse/weighted_graph.hpp>

#include <optional>
#include <string>
#include <vector>

namespace copse {

struct dendrogram_options {
  std::optional<double> top = std::nullopt;    ///< where components join last; none: twice the largest height, or 1 if that is 0
  unsigned threads = 0;                        ///< 0: all cores that the process may use
  std::optional<unsigned> gpu = std::nullopt;  ///< on this GPU: forests of 32-bit ids, below 2^31 vertices
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

struct dendrogram_report {
  std::string device = "cpu";  ///< or cuda:i
  unsigned threads = 1;
  double solve_seconds = 0;  ///< wall-clock, from the forest in memory to the merges
  /// Where they went: sort, contract, merges; on a GPU these by its clock, between copy in and copy out; of few threads sweep.
  std::vector<phase> phases;
};

struct dendrogram_result {
  buffer<hierarchy::merge> merges;  ///< n - 1 of them, by ascending height
  dendrogram_report report;
};

/// What hierarchy::linkage() gives, row for row; by recursive contraction where that takes less time than the sweep, which is one thread's.
/// `forest` is a list of edges without a cycle, as weighted_forest() finds them. O(n log n) work; about 100 bytes per vertex beside the
/// merges. Throws usage_error for rows, for columns of different length, for a top below the largest height, and for a GPU that it cannot
/// use; input_error for weights that are infinite or no numbers; resource_error, cancelled.
dendrogram_result dendrogram(const graph& forest, weights_view weights, const dendrogram_options& options = {});

}  // namespace copse
