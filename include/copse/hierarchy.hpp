// What a maximum spanning forest says of thresholds: components at each of them, the tree in which they join, and where to cut it.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/weighted_forest.hpp>
#include <copse/weighted_graph.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace copse {

/// The components of the edges whose weight is at least `threshold`; isolated vertices are components, too.
struct threshold_point {
  double threshold = 0;
  std::uint64_t components = 0;
  std::uint64_t largest = 0;                                       ///< vertices of the largest component
  std::uint64_t singletons = 0;                                    ///< components of one vertex
  std::uint64_t median = 0, percentile_90 = 0, percentile_99 = 0;  ///< percentiles of the sizes of components, nearest rank
  std::uint64_t pairs = 0;                                         ///< pairs of vertices in one component
};

/// What can be read off a maximum spanning forest (a list of edges) and its weights. Sorting its edges once answers everything below; no
/// weight may be not-a-number (input_error). Time O(n log n), then O(answers). Keeps 16 bytes and two ids for each edge of the forest.
/// Thresholds are rounded once to the precision of the weights.
class hierarchy {
public:
  hierarchy(const graph& forest, weights_view weights, std::pmr::memory_resource* memory = host_memory());

  /// The distinct weights of the forest, descending: components change at these alone. Of integers beyond 2^53 the largest doubles that are
  /// not above them.
  [[nodiscard]] std::vector<double> levels() const;
  /// At most `count` of the distinct weights, evenly spread by rank, the first and the last included.
  [[nodiscard]] std::vector<double> levels(std::uint64_t count) const;

  /// The curve's points for the thresholds, in the order given, which need not be sorted.
  [[nodiscard]] std::vector<threshold_point> curve(std::span<const double> thresholds) const;
  /// Canonical labels of the components at a threshold.
  [[nodiscard]] labelling labels_at(double threshold) const;

  /// Two clusters that join, as rows of SciPy's linkage matrix: vertices are clusters 0 .. n - 1, row i makes cluster n + i.
  struct merge {
    double first, second, height, size;
  };
  /// Single linkage as `scipy.cluster.hierarchy` has it: n - 1 merges, heights ascending. The height of an edge is the largest weight of
  /// the forest less its own. SciPy wants one tree: components join last, at `top`, or where that is not set at the largest height, doubled
  /// (1 if that is 0). Throws input_error for infinite weights, usage_error for a top below the largest height.
  [[nodiscard]] std::vector<merge> linkage(std::optional<double> top = std::nullopt) const;

  /// The labels of exactly `count` clusters, the lightest edges of the forest cut in their order. Throws usage_error for fewer than there
  /// are components, or more than vertices.
  [[nodiscard]] labelling clusters(std::uint64_t count) const;

  /// Components of a limited number of vertices.
  struct limited {
    labelling labels;
    std::vector<std::uint64_t> cuts;  ///< the edges of the forest that were cut, by their places there, the heaviest first
  };
  /// Single linkage that stops in time: the edges of a weight join their trees only where no component of that weight and more has more
  /// than `most` vertices. So a component that is too large is split by whole levels of weight, the weakest first, until no part is.
  [[nodiscard]] limited at_most(std::uint64_t most) const;

  [[nodiscard]] std::uint64_t vertices() const noexcept { return names_.size(); }
  [[nodiscard]] std::uint64_t components() const noexcept { return vertices() - edges_.size(); }

private:
  friend class bottlenecks;
  struct forest_edge {
    double weight;
    std::uint64_t u, v, place;
  };
  class trees;
  template <class Joined>
  [[nodiscard]] labelling labels_of(Joined joined) const;

  buffer<forest_edge> edges_;  ///< the heaviest first
  vertex_names names_;
  weight_precision precision_;
  std::pmr::memory_resource* memory_;
};

/// The distinct weights of a maximum forest, descending: the thresholds at which components change. At most `count` of them, evenly spread
/// by rank, the first and the last included, as hierarchy::levels() returns them. Throws input_error for a weight that is not a number.
[[nodiscard]] std::vector<double> threshold_levels(weights_view weights, std::uint64_t count, const execution& on = {});
[[nodiscard]] std::vector<double> threshold_levels(weights_view weights, const execution& on = {});

/// One point for each threshold, in the order given: what hierarchy::curve() says, but up to a few thousand thresholds take no sort.
/// `forest`: a list of edges without a cycle. Notes a threshold that no weight reaches. Throws as hierarchy does.
[[nodiscard]] std::vector<threshold_point> threshold_curve(const graph& forest, weights_view weights, std::span<const double> thresholds,
                                                           const execution& on = {});

/// The weakest edge between any two vertices: the lightest on their path in the maximum spanning forest, as heavy as that of any other path
/// at most. 16 bytes per vertex.
class bottlenecks {
public:
  /// Builds the tree of weakest edges in O(n log n). Does not refer to `joined` afterwards.
  explicit bottlenecks(const hierarchy& joined, std::pmr::memory_resource* memory = host_memory());

  /// The place of that edge in the forest; of equally light ones the last by its ends. Empty for equal vertices, and for vertices in
  /// different components. O(log n); from any number of threads.
  [[nodiscard]] std::optional<std::uint64_t> between(std::uint64_t u, std::uint64_t v) const noexcept;

private:
  buffer<std::uint64_t> above_, by_;  ///< where a vertex hangs, and by which edge of the hierarchy
  buffer<std::uint64_t> places_;      ///< the places of these edges in the forest
};

// Single linkage by many threads, or on a GPU.

struct dendrogram_result {
  buffer<hierarchy::merge> merges;  ///< n - 1 of them, by ascending height
  /// Phases: sort, contract, merges; on a GPU these by its clock, between copy in and copy out; of few threads sweep.
  solve_report report;
};

/// The rows of hierarchy::linkage(), by recursive contraction where that takes less time than the sweep, which is one thread's.
/// `forest` is a list of edges without a cycle, as weighted_forest() finds them; `top` is where components join last, without it twice the
/// largest height, or 1 if that is 0. A GPU takes 32-bit ids, below 2^31 vertices. O(n log n) work; about 100 bytes per vertex in addition
/// to the merges. Throws usage_error for rows, for columns of different length, for a top below the largest height, and for a GPU that it
/// cannot use; input_error for weights that are infinite or no numbers; resource_error, cancelled.
[[nodiscard]] dendrogram_result dendrogram(const graph& forest, weights_view weights, std::optional<double> top = std::nullopt,
                                           const execution& on = {});

}  // namespace copse
