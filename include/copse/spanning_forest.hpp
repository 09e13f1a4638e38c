// Spanning forests: a proof of connectivity, and what trees are made of.
#pragma once
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/rooted_forest.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace copse {

struct forest_result {
  /// A list of n - k edges of the graph, in no order, over its n vertices and with their names: no cycle, and one tree for each of the
  /// graph's k components. Ids as wide as the graph's.
  graph edges;
  std::optional<labelling> labels;  ///< canonical, as components() gives them, if options.with_labels asks for them
  solve_report report;              ///< solve_seconds ends when the edges (and labels) are there

  [[nodiscard]] std::uint64_t edge_count() const noexcept;
  /// Number of components: n - edge_count(). O(1).
  [[nodiscard]] std::uint64_t count() const noexcept { return edges.vertices() - edge_count(); }
};

/// A spanning forest of `g`, by a variant of variants(problem_kind::forest). Which one of all is found may differ from run to run where
/// there are several threads. Time and memory of components() by the same variant, and a slot of two ids per vertex. On several GPUs, and
/// by auto on one that has no room for the graph, the edges are streamed through them in pieces, and those that joined two components are
/// kept. Throws usage_error for an unknown or refused variant and for options.count, resource_error when memory ends, cancelled.
[[nodiscard]] forest_result spanning_forest(const graph& g, const solve_options& options = {}, const execution& on = {});
[[nodiscard]] forest_result spanning_forest(graph_view g, const solve_options& options = {}, const execution& on = {});

/// A spanning forest of pairs of ids of any kind, as the components() of such pairs finds their labels; with their ids as names.
[[nodiscard]] forest_result spanning_forest(const id_pairs& edges, const solve_options& options = {}, const execution& on = {});

/// A spanning forest of a file, or of several edge lists that are one graph. What components() streams is streamed here too: the edges are
/// united while they are parsed, and only those that join two trees are kept, in memory O(vertices); otherwise the graph is read and
/// solved. The vertices are those that occur in the edges, or that the file declares, with their ids as names, as io::read_graph has them.
/// On several GPUs the edges go straight from the files to them.
[[nodiscard]] forest_result spanning_forest(const std::filesystem::path& path, const io::read_options& input,
                                            const solve_options& options = {}, const execution& on = {});
[[nodiscard]] forest_result spanning_forest(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                            const solve_options& options = {}, const execution& on = {});

/// What a call says that writes a forest into the caller's memory.
struct forest_summary {
  std::uint64_t edge_count = 0;  ///< n - k, for n vertices and k components
  solve_report report;
};

/// The same from the caller's arrays into the caller's memory: the forest is the first `edge_count` of `edges`. There must be room for as
/// many as there can be, n - 1 or all edges of the graph if those are fewer. `labels`: one element per vertex for the canonical labels, or
/// empty. Ids and offsets as for components(). Throws usage_error too when there is less room.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] forest_summary spanning_forest(csr_view<Id, Offset> g, std::span<edge<Id>> edges, std::span<Id> labels,
                                             const solve_options& options = {}, const execution& on = {});
/// Finds a forest of an edge list with each edge once, in any direction and order. Two columns are copied into one array first.
template <unsigned_index Id>
[[nodiscard]] forest_summary spanning_forest(coo_view<Id> g, std::span<edge<Id>> edges, std::span<Id> labels,
                                             const solve_options& options = {}, const execution& on = {});
template <unsigned_index Id>
[[nodiscard]] forest_summary spanning_forest(edge_columns_view<Id> g, std::span<edge<Id>> edges, std::span<Id> labels,
                                             const solve_options& options = {}, const execution& on = {});

/// Roots the trees of a forest, such as forest_result::edges: a list of edges without a cycle. The same edges give the same arrays,
/// whatever the threads. O(n) work, level after level; levels of few vertices take one thread, and where these are too many, an Euler tour
/// (rooted_forest.hpp) takes over. Rows of the forest are held during the call: 4 ids per vertex and one offset; with a tour, what that
/// holds. Throws usage_error unless it is a list of n - k edges that joins n vertices to k trees, naming the first edge that is no vertex's
/// or closes a cycle.
[[nodiscard]] rooted_forest root_forest(const graph& forest, const execution& on = {});

}  // namespace copse
