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

/// Whether the spanning forest has the least or the greatest total weight (for weights that are similarities).
enum class forest_goal : std::uint8_t { minimum, maximum };

struct weighted_forest_options {
  std::string variant = "auto";  ///< a name of variants(problem_kind::weighted_forest), or auto
  forest_goal goal = forest_goal::minimum;
  bool positions = false;  ///< also return the position of each edge of the forest in the input
  /// The precision that the weights had before they were converted to double or float; thresholds on the forest are rounded to it.
  weight_precision precision = weight_precision::full;
};

struct weighted_forest_result {
  /// n - k edges over the n vertices of the graph and with their names, in the order of the input. For symmetric rows each edge is in the
  /// direction from its smaller end.
  graph edges;
  weight_column weights;  ///< one per edge of `edges`, in the type and the precision of the input
  forest_goal goal = forest_goal::minimum;
  buffer<std::uint64_t> positions;  ///< ascending positions of the edges in the list, or of arcs in rows; empty unless options.positions
  std::uint64_t merges = 1;         ///< for edges that arrived in batches, the number of times that edges were merged into the forest
  solve_report report;              ///< phases on the CPU: keys (checks the weights), search, edges (writes the result)

  [[nodiscard]] std::uint64_t edge_count() const noexcept { return weights.size(); }
  /// Number of components: n - edge_count(). O(1).
  [[nodiscard]] std::uint64_t count() const noexcept { return edges.vertices() - edge_count(); }
};

/// Finds the minimum or maximum spanning forest. Edges are compared by (weight, smaller end, larger end), for a maximum with the order of
/// weights reversed, so the forest is the same set of edges for every variant, number of threads and form of the input. `weights` has one
/// element for each edge or arc; rows marked symmetric must have the same weight in both directions. Weights may be infinite; one that is
/// not a number is an input_error. Memory: a bit per edge or arc, 16 to 24 bytes for each edge that is compared at a time (in the filtering
/// variants a few per vertex), and 16 to 32 bytes per vertex.
///
/// Variants of cuda take 32-bit ids. One GPU holds all edges: lists, or symmetric rows with sorted targets, of fewer than 2^32 - 1 arcs.
/// The edges are split if there are several GPUs, if the memory of one is limited by `on.gpu_memory`, and by auto if it has no room for all
/// edges: the GPUs solve shares that fit their memory, and the forests are merged, so the graph may be larger than any GPU's memory. On
/// GPUs auto is cuda.filter_boruvka.
///
/// Throws usage_error for an unknown variant and for columns of different length, resource_error when memory runs out, cancelled.
[[nodiscard]] weighted_forest_result weighted_forest(graph_view g, weights_view weights, const weighted_forest_options& options = {},
                                                     const execution& on = {});
[[nodiscard]] weighted_forest_result weighted_forest(const weighted_graph& g, const weighted_forest_options& options = {},
                                                     const execution& on = {});
/// Finds the forest of an edge list in two columns.
[[nodiscard]] weighted_forest_result weighted_forest(edge_columns_view<std::uint32_t> edges, weights_view weights,
                                                     const weighted_forest_options& options = {}, const execution& on = {});
[[nodiscard]] weighted_forest_result weighted_forest(edge_columns_view<std::uint64_t> edges, weights_view weights,
                                                     const weighted_forest_options& options = {}, const execution& on = {});

/// Finds the forest of a file. Edges of text files are not stored: while the file is read, a few per vertex at a time are merged into the
/// forest, in about 120 bytes per vertex in addition to string names. All other formats are read by io::read_weighted_graph(). Weights are
/// doubles; ids are as for io::read_weighted_graph(). Throws usage_error if positions are requested, and what io::read_weighted_graph()
/// throws.
[[nodiscard]] weighted_forest_result weighted_forest(const std::filesystem::path& path, const io::read_options& input,
                                                     const weighted_forest_options& options = {}, const execution& on = {});

/// Takes weighted edges in any number of batches and keeps their minimum or maximum spanning forest, with up to three times as many further
/// edges at a time: memory is O(vertices). Ids are either integers, dense or sparse, which may be negative if none is above INT64_MAX, or
/// strings of any bytes. A batch may be freed as soon as add() returns. The forest is the same as that of all edges in one list, in the
/// order in which they arrived. Calls on one sink may not overlap. After any exception except one about an invalid batch the sink may only
/// be destroyed.
class weighted_edge_sink {
public:
  /// Constructs an empty sink. `options.positions` must not be set.
  explicit weighted_edge_sink(const weighted_forest_options& options = {}, const execution& on = {});

  /// Adds edges: pair i has the weight weights[i]. Weights are converted to double, integers beyond 2^53 to the largest double that is
  /// not greater. Throws usage_error for columns of different length, for strings after integers or the reverse, and for floats after
  /// weights of another precision; input_error if the sink gets both a negative id and one above INT64_MAX, and for a weight that is not
  /// a number. An invalid batch leaves the sink unchanged.
  void add(const id_pairs& edges, const weights_view& weights);

  /// Sets the precision that the weights had before they were converted to double. Throws usage_error after batches of another precision.
  void set_precision(weight_precision precision);

  /// The forest of all edges added so far, from which components at any threshold can be computed. The reference is valid until the next
  /// call.
  [[nodiscard]] const weighted_forest_result& forest();
  /// Moves the forest out of the sink, which may then only be destroyed.
  [[nodiscard]] weighted_forest_result take() &&;

private:
  struct state;
  hidden<state> state_;
};

/// Proves that `forest` is the minimum or maximum spanning forest of `g`: it has no cycle; each of its edges is an edge of the graph with
/// the same weight; and every other edge of the graph has both ends in one tree and comes, in the order in which weighted_forest() compares
/// edges, after all edges on the path between its ends. Plain and serial, shares no code with what it checks. O((n + edges) log n) time,
/// three ids per vertex.
[[nodiscard]] verdict verify_weighted_forest(graph_view g, weights_view weights, const graph& forest, weights_view forest_weights,
                                             forest_goal goal);

}  // namespace copse
