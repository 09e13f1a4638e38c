// Bridges, articulation points, and the two-edge-connected and biconnected components of a graph.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/verify.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace copse {

struct bridges_options {
  /// If true, parallel edges (in either direction) count as one edge, which can be a bridge. If false, an edge that occurs twice is no
  /// bridge.
  bool simple = false;
  bool vertex_blocks = false;  ///< also list the biconnected components
};

/// Sets of vertices: set i is vertices[offsets[i]] .. vertices[offsets[i + 1] - 1].
struct vertex_sets {
  buffer<std::uint64_t> offsets, vertices;
  [[nodiscard]] std::uint64_t count() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
};

struct bridges_result {
  /// The bridges (edges whose removal disconnects their component), with the vertex names of the graph, in the order of the input.
  graph edges;
  /// The position of each bridge in the list, or among the arcs of the rows; in symmetric rows, the position of the arc in the row of its
  /// smaller end. Of parallel edges that count as one, the first position.
  buffer<std::uint64_t> positions;
  buffer<std::uint64_t> smaller_sides;        ///< per bridge, the number of vertices on the smaller of its two sides
  buffer<std::uint64_t> articulation_points;  ///< vertices whose removal disconnects their component, ascending
  labelling two_edge_connected;               ///< canonical labels of the components that remain when all bridges are removed
  std::uint64_t components = 0;               ///< number of components of the graph
  std::uint64_t two_edge_connected_count = 0;
  std::uint64_t biconnected_count = 0;
  /// The biconnected components, if `vertex_blocks` was set: every edge except loops is in exactly one, two of them share at most one
  /// articulation point, and a vertex without such an edge is in none. The vertices of a set ascend; sets are ordered by their two smallest
  /// vertices.
  vertex_sets biconnected;
  /// Number of parallel edges, in either direction, of edges of the spanning forest from which the search for bridges starts.
  std::uint64_t repeated_edges = 0;
  /// Its phases: forest (a spanning forest), tour (its Euler tour), edges, subtrees, blocks, answer. The variant `lowpoint`, used for
  /// symmetric rows with one thread, has search and answer. On a GPU they are copy (of the graph), and then, by the GPU's clock, forest,
  /// tour, edges, subtrees and answer.
  solve_report report;
};

/// Finds the bridges and articulation points of `g`, read as an undirected graph. Every element of an edge list is an edge, and so is every
/// arc of rows, except that in symmetric rows the two arcs u -> v and v -> u are one edge. Loops change nothing. The answer depends on the
/// edges alone, not on the threads. O(n + edges) work; in addition to the graph at most about 90 bytes per vertex of 32-bit ids, and one
/// byte per edge of lists and of rows that are not symmetric. A GPU gets a copy of the graph, and takes 32-bit ids and at most 2^30
/// vertices with an edge. Throws usage_error for a view that is wrong and for a GPU in a build without CUDA, resource_error when memory
/// runs out, cancelled.
[[nodiscard]] bridges_result bridges(const graph& g, const bridges_options& options = {}, const execution& on = {});
[[nodiscard]] bridges_result bridges(graph_view g, const bridges_options& options = {}, const execution& on = {});

/// Proves the whole answer by a depth-first search and its chain decomposition (Schmidt 2013): plain and serial, and shares no code with
/// bridges(). `simple` must be as in the call of bridges(). O(n + edges) time in addition to sorting the edges; memory of four ids per
/// edge.
[[nodiscard]] verdict verify_bridges(graph_view g, const bridges_result& found, bool simple = false);

}  // namespace copse
