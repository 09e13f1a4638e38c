// Clusterings from a maximum spanning forest: the components at each threshold, the tree of merges (single linkage), and where to cut it.
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

/// Statistics of the components that edges of weight `threshold` or more form; isolated vertices are components, too.
struct threshold_point {
  double threshold = 0;
  std::uint64_t components = 0;
  std::uint64_t largest = 0;                                       ///< number of vertices in the largest component
  std::uint64_t singletons = 0;                                    ///< number of components of one vertex
  std::uint64_t median = 0, percentile_90 = 0, percentile_99 = 0;  ///< percentiles of the component sizes, by nearest rank
  std::uint64_t pairs = 0;                                         ///< number of pairs of vertices in the same component
};

/// A maximum spanning forest (a list of edges with weights), prepared to answer questions about thresholds. Its edges are sorted once, in
/// O(n log n); each answer below then takes time linear in its size. Throws input_error if a weight is not a number. Keeps 16 bytes and two
/// ids for each edge of the forest. Thresholds are rounded once to the precision of the weights.
class hierarchy {
public:
  hierarchy(const graph& forest, weights_view weights, std::pmr::memory_resource* memory = host_memory());

  /// The distinct weights of the forest, descending: components change only at these thresholds. For integers beyond 2^53, the largest
  /// doubles that are not greater.
  [[nodiscard]] std::vector<double> levels() const;
  /// At most `count` of the distinct weights, evenly spread by rank, the first and the last included.
  [[nodiscard]] std::vector<double> levels(std::uint64_t count) const;

  /// Statistics of the components at each threshold, in the order given, which need not be sorted.
  [[nodiscard]] std::vector<threshold_point> curve(std::span<const double> thresholds) const;
  /// Canonical labels of the components at a threshold.
  [[nodiscard]] labelling labels_at(double threshold) const;

  /// One merge of two clusters, a row of SciPy's linkage matrix: vertices are clusters 0 .. n - 1, and row i makes cluster n + i.
  struct merge {
    double first, second, height, size;
  };
  /// Single linkage as in `scipy.cluster.hierarchy`: n - 1 merges in ascending order of height. The height of an edge is the largest
  /// weight of the forest minus its own weight. SciPy expects a single tree, so the components are merged last, at height `top`, by
  /// default twice the largest height (or 1 if that is 0). Throws input_error for infinite weights, usage_error if `top` is below the
  /// largest height.
  [[nodiscard]] std::vector<merge> linkage(std::optional<double> top = std::nullopt) const;

  /// Labels of exactly `count` clusters: the lightest edges of the forest are cut, in ascending order of weight. Throws usage_error if
  /// `count` is less than the number of components or more than the number of vertices.
  [[nodiscard]] labelling clusters(std::uint64_t count) const;

  /// Result of at_most(): components with a limited number of vertices.
  struct limited {
    labelling labels;
    std::vector<std::uint64_t> cuts;  ///< positions in the forest of the edges that were cut, the heaviest edge first
  };
  /// Components of at most `most` vertices by single linkage. An edge of weight w joins its trees only if its component at threshold w has
  /// at most `most` vertices. So a component that is too large is split at its lowest weights first, all edges of equal weight together,
  /// until no part is too large.
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

  buffer<forest_edge> edges_;  ///< in descending order of weight
  vertex_names names_;
  weight_precision precision_;
  std::pmr::memory_resource* memory_;
};

/// The distinct weights of a maximum spanning forest, descending: the thresholds at which components change. At most `count` of them,
/// evenly spread by rank, including the first and the last, as returned by hierarchy::levels(). Throws input_error for a weight that is not
/// a number.
[[nodiscard]] std::vector<double> threshold_levels(weights_view weights, std::uint64_t count, const execution& on = {});
[[nodiscard]] std::vector<double> threshold_levels(weights_view weights, const execution& on = {});

/// Statistics of the components at each threshold, in the order given: the same result as hierarchy::curve(), but without sorting the
/// forest if there are at most a few thousand thresholds. `forest` is a list of edges without a cycle. Sends a note to the observer if no
/// weight reaches a threshold. Throws what hierarchy throws.
[[nodiscard]] std::vector<threshold_point> threshold_curve(const graph& forest, weights_view weights, std::span<const double> thresholds,
                                                           const execution& on = {});

/// Finds bottleneck edges: the lightest edge on the path between two vertices in the maximum spanning forest. No other path of the graph
/// has a heavier lightest edge. 16 bytes per vertex.
class bottlenecks {
public:
  /// Builds the tree of bottleneck edges in O(n log n). Does not refer to `joined` afterwards.
  explicit bottlenecks(const hierarchy& joined, std::pmr::memory_resource* memory = host_memory());

  /// The position in the forest of the bottleneck edge between u and v; of equally light edges, the last in the order of their ends. Empty
  /// for equal vertices, and for vertices in different components. O(log n); any number of threads may call it at the same time.
  [[nodiscard]] std::optional<std::uint64_t> between(std::uint64_t u, std::uint64_t v) const noexcept;

private:
  buffer<std::uint64_t> above_, by_;  ///< each vertex's parent in the tree of bottleneck edges; index of the edge to it in places_
  buffer<std::uint64_t> places_;      ///< positions of edges in the forest, in descending order of weight
};

// Single linkage with many threads, or on a GPU.

struct dendrogram_result {
  buffer<hierarchy::merge> merges;  ///< n - 1 merges in ascending order of height
  /// Phases: "sort", "contract", "merges"; on a GPU measured by its clock, and preceded by "copy in" and followed by "copy out"; with few
  /// threads only "sweep".
  solve_report report;
};

/// Same result as hierarchy::linkage(): by recursive contraction on many threads if this is faster than the serial sweep. `forest` is a
/// list of edges without a cycle, as found by weighted_forest(). Components are merged at height `top`, by default twice the largest
/// height, or 1 if that is 0. A GPU takes 32-bit ids, below 2^31 vertices. O(n log n) work; about 100 bytes per vertex in addition to the
/// merges. Throws usage_error for rows, for columns of different length, for a `top` below the largest height, and for a GPU that it cannot
/// use; input_error for weights that are infinite or not numbers; resource_error, cancelled.
[[nodiscard]] dendrogram_result dendrogram(const graph& forest, weights_view weights, std::optional<double> top = std::nullopt,
                                           const execution& on = {});

}  // namespace copse
