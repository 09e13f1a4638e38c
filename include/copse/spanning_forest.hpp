// Spanning forests of graphs, edge lists and files, and rooting their trees.
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
  /// n - k edges of the graph, in no particular order, over its n vertices and with their names: they have no cycle and form one tree for
  /// each of the graph's k components. Ids are as wide as the graph's.
  graph edges;
  std::optional<labelling> labels;  ///< set if options.with_labels: canonical, as components() returns them
  solve_report report;              ///< solve_seconds ends when the edges (and labels) are complete

  [[nodiscard]] std::uint64_t edge_count() const noexcept;
  /// Number of components: n - edge_count(). O(1).
  [[nodiscard]] std::uint64_t count() const noexcept { return edges.vertices() - edge_count(); }
};

/// Finds a spanning forest of `g` by a variant of variants(problem_kind::forest). With several threads different runs may find different
/// spanning forests. Time and memory are those of components() by the same variant, plus two ids per vertex. On several GPUs, and by auto
/// on one that has no room for the graph, the edges are streamed through the GPUs in pieces, and those that joined two components are kept.
/// Throws usage_error for an unknown or refused variant and for options.count, resource_error when memory runs out, cancelled.
[[nodiscard]] forest_result spanning_forest(const graph& g, const solve_options& options = {}, const execution& on = {});
[[nodiscard]] forest_result spanning_forest(graph_view g, const solve_options& options = {}, const execution& on = {});

/// Finds a spanning forest of pairs of ids of any kind, which become the names of its vertices; the counterpart of components() for pairs.
[[nodiscard]] forest_result spanning_forest(const id_pairs& edges, const solve_options& options = {}, const execution& on = {});

/// Finds a spanning forest of a file, or of several edge lists that are one graph. The inputs that components() streams are streamed here
/// too: edges are united while they are parsed, and only those that join two trees are kept, in O(vertices) memory; otherwise the graph is
/// read and solved. The vertices are those that occur in edges or that the file declares, with their ids as names, as for io::read_graph().
/// On several GPUs the edges go directly from the files to the GPUs.
[[nodiscard]] forest_result spanning_forest(const std::filesystem::path& path, const io::read_options& input,
                                            const solve_options& options = {}, const execution& on = {});
[[nodiscard]] forest_result spanning_forest(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                            const solve_options& options = {}, const execution& on = {});

/// The result of a call that writes a forest to the caller's memory.
struct forest_summary {
  std::uint64_t edge_count = 0;  ///< n - k, for n vertices and k components
  solve_report report;
};

/// Finds a spanning forest of the caller's arrays and writes it to the caller's memory: the forest is the first `edge_count` elements of
/// `edges`. `edges` must have room for n - 1 edges, or for all edges of the graph if those are fewer. `labels` has one element per vertex
/// for the canonical labels, or is empty. Ids and offsets as for components(). Throws usage_error also if there is less room.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] forest_summary spanning_forest(csr_view<Id, Offset> g, std::span<edge<Id>> edges, std::span<Id> labels,
                                             const solve_options& options = {}, const execution& on = {});
/// Finds a forest of an edge list that has each edge once, in any direction and order. Two columns are copied into one array first.
template <unsigned_index Id>
[[nodiscard]] forest_summary spanning_forest(coo_view<Id> g, std::span<edge<Id>> edges, std::span<Id> labels,
                                             const solve_options& options = {}, const execution& on = {});
template <unsigned_index Id>
[[nodiscard]] forest_summary spanning_forest(edge_columns_view<Id> g, std::span<edge<Id>> edges, std::span<Id> labels,
                                             const solve_options& options = {}, const execution& on = {});

/// Roots the trees of a forest, such as forest_result::edges: a list of edges without a cycle. The same edges give the same arrays, for any
/// number of threads. O(n) work by breadth-first levels; a level of few vertices uses one thread, and if there are too many such levels, an
/// Euler tour (rooted_forest.hpp) is used instead. During the call it holds the rows of the forest, 4 ids per vertex and one offset, or the
/// arrays of the tour. Throws usage_error unless the list has n - k edges that join n vertices to k trees, naming the first edge that has
/// an invalid end or closes a cycle.
[[nodiscard]] rooted_forest root_forest(const graph& forest, const execution& on = {});

}  // namespace copse
