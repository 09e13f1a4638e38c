// What holds a graph together at one place only: bridges, articulation points, and the components that are left without them.
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
  bool simple = false;         ///< edges that repeat another, in either direction, count once; else a doubled edge is no bridge
  bool vertex_blocks = false;  ///< also list the biconnected components
};

/// Sets of vertices: set i is vertices[offsets[i]] .. vertices[offsets[i + 1] - 1].
struct vertex_sets {
  buffer<std::uint64_t> offsets, vertices;
  [[nodiscard]] std::uint64_t count() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
};

struct bridges_result {
  /// The edges whose loss parts a component, with the names of the graph, in the order of the input.
  graph edges;
  /// The place of each bridge: in the list, or among the arcs of the rows (of symmetric rows, in the row of its smaller end). Of repeated
  /// edges that count once, the first.
  buffer<std::uint64_t> positions;
  buffer<std::uint64_t> smaller_sides;        ///< per bridge, the number of vertices on its smaller side
  buffer<std::uint64_t> articulation_points;  ///< the vertices whose loss parts a component, ascending
  labelling two_edge_connected;               ///< canonical labels of the components that are left without the bridges
  std::uint64_t components = 0;               ///< number of components of the graph
  std::uint64_t two_edge_connected_count = 0;
  std::uint64_t biconnected_count = 0;
  /// The biconnected components, if they were asked for: every edge but a loop is in one, and two of them share an articulation point or
  /// nothing; a vertex without such an edge is in none. Vertices ascend; sets are ordered by their two smallest vertices.
  vertex_sets biconnected;
  std::uint64_t repeated_edges = 0;  ///< that repeat an edge of the spanning forest, in either direction
  /// Phases: forest, tour, edges, subtrees, blocks, answer; of the variant `lowpoint`, which one thread takes for symmetric rows, search
  /// and answer; on a GPU the first, without blocks, by its clock, after the copy of the graph.
  solve_report report;
};

/// Bridges and articulation points of `g`, whose directions do not count. Every edge of a list counts, and every arc of rows, but of
/// symmetric rows a pair of arcs is one edge. Loops change nothing. The answer depends on the edges alone, not on the threads. O(n + edges)
/// work; in addition to the graph at most about 90 bytes per vertex of 32-bit ids, and one byte per edge of lists and of rows that are not
/// symmetric. On a GPU, to which the graph is copied: 32-bit ids, at most 2^30 vertices with an edge. Throws usage_error for a view that is
/// wrong and for a GPU in a build without them, resource_error when memory ends, cancelled.
[[nodiscard]] bridges_result bridges(const graph& g, const bridges_options& options = {}, const execution& on = {});
[[nodiscard]] bridges_result bridges(graph_view g, const bridges_options& options = {}, const execution& on = {});

/// Proves the whole answer by a depth-first search and its chains (Schmidt 2013): plain and serial, shares no code with what it checks.
/// `simple` must be as in the call of bridges(). O(n + edges) time but for sorting, four ids per edge.
[[nodiscard]] verdict verify_bridges(graph_view g, const bridges_result& found, bool simple = false);

}  // namespace copse
