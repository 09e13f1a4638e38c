// Minimum and maximum spanning forests.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/hidden.hpp>
#include <copse/memory.hpp>
#include <copse/pairs.hpp>
#include <copse/report.hpp>
#include <copse/verify.hpp>
#include <copse/views.hpp>
#include <copse/weighted_graph.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace copse {

/// Which forest: the lightest edges that join each component, or the heaviest (where weights say how alike two ends are).
enum class forest_goal : std::uint8_t { minimum, maximum };

struct weighted_forest_options {
  std::string variant = "auto";  ///< a name of variants(problem_kind::weighted_forest), or auto
  forest_goal goal = forest_goal::minimum;
  bool positions = false;  ///< also return the position of each edge of the forest in the input
  /// The precision that the weights had before they became doubles or floats: thresholds on the forest are rounded to it.
  weight_precision precision = weight_precision::full;
};

struct weighted_forest_result {
  /// n - k edges of the graph over its n vertices and with their names, in the order of the input; of symmetric rows, each from its smaller
  /// end.
  graph edges;
  weight_column weights;  ///< one for each edge of `edges`, in the type and the precision of the input
  forest_goal goal = forest_goal::minimum;
  buffer<std::uint64_t> positions;  ///< ascending: of the edge in the list, or the arc in the rows; if they were asked for
  std::uint64_t merges = 1;         ///< for edges that came in batches, how often some were merged into the forest
  solve_report report;              ///< phases: keys, search, edges

  [[nodiscard]] std::uint64_t edge_count() const noexcept { return weights.size(); }
  /// Number of components: n - edge_count(). O(1).
  [[nodiscard]] std::uint64_t count() const noexcept { return edges.vertices() - edge_count(); }
};

/// The minimum or maximum spanning forest. Edges are compared by (weight, smaller end, larger end), the weights the other way round for a
/// maximum, so the forest is the same set of edges for every variant, number of threads and form of the input. `weights` has one for each
/// edge or arc; rows that are said to be symmetric must have the same weight in both directions. Infinite weights are weights; throws
/// input_error for one that is not a number. Memory: a bit per edge or arc, 16 to 24 bytes for each edge that is compared at once (the
/// filtering variants: a few per vertex), 16 to 32 bytes per vertex. Variants of cuda take 32-bit ids; one GPU takes all edges at once:
/// lists, and symmetric rows with sorted targets, of fewer than 2^32 - 1 arcs. Several GPUs, one whose memory is limited by
/// `on.gpu_memory`, and by auto one that has no room for all edges, solve shares of the edges, as many at once as they have memory for, and
/// their forests are merged, so that the graph may be larger than any of them. On GPUs auto is cuda.filter_boruvka. Throws
/// usage_error for an unknown variant and for columns of different length, resource_error when memory ends, cancelled.
[[nodiscard]] weighted_forest_result weighted_forest(graph_view g, weights_view weights, const weighted_forest_options& options = {},
                                                     const execution& on = {});
[[nodiscard]] weighted_forest_result weighted_forest(const weighted_graph& g, const weighted_forest_options& options = {},
                                                     const execution& on = {});
/// Finds the forest of an edge list in two columns.
[[nodiscard]] weighted_forest_result weighted_forest(edge_columns_view<std::uint32_t> edges, weights_view weights,
                                                     const weighted_forest_options& options = {}, const execution& on = {});
[[nodiscard]] weighted_forest_result weighted_forest(edge_columns_view<std::uint64_t> edges, weights_view weights,
                                                     const weighted_forest_options& options = {}, const execution& on = {});

/// Finds the forest of a file. Edges in text are not held: they go into the forest a few per vertex at a time, while the file is read, in
/// about 120 bytes per vertex in addition to names that are strings. Weights are doubles; ids as io::read_weighted_graph() has them, which
/// reads all other formats. Throws usage_error when positions are asked for, and what io::read_weighted_graph() throws.
[[nodiscard]] weighted_forest_result weighted_forest(const std::filesystem::path& path, const io::read_options& input,
                                                     const weighted_forest_options& options = {}, const execution& on = {});

/// Takes edges with weights in any number of batches and keeps the forest of those that came, and up to three times as many edges in
/// addition to it: memory is O(vertices). Ids are integers, dense or sparse, which may be negative unless others are above INT64_MAX, or
/// strings of any bytes, but not both. A batch may be freed as soon as add() returns. The forest is the same as that of all edges at once,
/// in the order in which they came. Calls on one sink may not overlap. After an exception other than of a batch that is wrong the sink may
/// only be destroyed.
class weighted_edge_sink {
public:
  /// Makes an empty sink. `options.positions` must not be set.
  explicit weighted_edge_sink(const weighted_forest_options& options = {}, const execution& on = {});

  /// Pair i has weights[i], which become doubles: of an integer beyond 2^53 the largest that is not above it. Throws usage_error for
  /// columns of different length, for strings after integers or the reverse, and for floats after weights of another precision; input_error
  /// for a negative id and one above INT64_MAX in one sink and for a weight that is not a number: nothing of the batch is taken then.
  void add(const id_pairs& edges, const weights_view& weights);

  /// Says how precise the weights were before they became doubles. Throws usage_error after batches of another precision.
  void set_precision(weight_precision precision);

  /// The forest of all edges that came so far: thresholds can be asked at any moment. Stays as it is until the next call.
  [[nodiscard]] const weighted_forest_result& forest();
  /// Moves that forest out; the sink may only be destroyed afterwards.
  [[nodiscard]] weighted_forest_result take() &&;

private:
  struct state;
  hidden<state> state_;
};

/// Proves that `forest` is the minimum or maximum spanning forest of `g`: that it has no cycle, that every edge of it is one of the graph
/// with that weight, that every other edge of the graph joins vertices of one tree and comes, in the order of edges, behind all edges on
/// the path between its ends. Plain and serial, shares no code with what it checks. O((n + edges) log n) time, three ids per vertex.
[[nodiscard]] verdict verify_weighted_forest(graph_view g, weights_view weights, const graph& forest, weights_view forest_weights,
                                             forest_goal goal);

}  // namespace copse
