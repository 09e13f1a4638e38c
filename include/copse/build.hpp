// Graphs made from graphs, facts about rows, and checksums.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <optional>

namespace copse {

// The one way from an edge list to rows, and from one-sided rows to symmetric ones.

struct build_options {
  bool symmetrise = true;       ///< store every edge in both rows
  bool drop_duplicates = true;  ///< keep one of equal arcs
  bool drop_loops = true;
};

/// Rows, sorted, of the narrowest offsets that hold them. The result does not depend on the threads.
/// O(n + m) work (counting, scatter) plus sorting each row. Throws resource_error when it does not fit.
[[nodiscard]] graph build_csr(const graph& edges, const build_options& options = {}, const execution& on = {});
[[nodiscard]] graph build_csr(graph_view edges, const build_options& options = {}, const execution& on = {});

/// Builds rows of given widths, for drivers that symmetrise inside the clock. Throws resource_error if offsets overflow.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] csr<Id, Offset> build_rows(coo_view<Id> edges, const build_options& options, const execution& on);
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] csr<Id, Offset> symmetrise(csr_view<Id, Offset> rows, const build_options& options, const execution& on);

// Facts about rows, measured instead of taken from their file: in one streaming pass, without memory, for any order of the rows.

struct row_facts {
  std::optional<std::uint64_t> bad_target;  ///< position of the first target that is no vertex; the other facts are then void
  bool sorted = true;                       ///< every row ascending
  /// `yes` or `no` by a 128-bit hash of the arcs of each direction, equal by chance for one asymmetric graph in 2^128. Repeated arcs must
  /// be repeated as often in the other row, or the answer is `no`, which is always safe.
  symmetry symmetric = symmetry::unknown;
};

/// O(n + arcs), about as fast as memory is read. Precondition: offsets ascend from 0 to the number of targets.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] row_facts inspect(csr_view<Id, Offset> rows, const execution& on = {});

/// `rows.symmetric` if it is known, otherwise the value that inspect() finds.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] symmetry detect_symmetry(csr_view<Id, Offset> rows, const execution& on = {}) {
  return rows.symmetric != symmetry::unknown ? rows.symmetric : inspect(rows, on).symmetric;
}

struct edge_counts {
  std::uint64_t edges = 0;  ///< an edge is stored twice, and a loop once, in rows with both directions; otherwise each arc is an edge
  std::uint64_t arcs = 0;   ///< stored directions; the edges of a list
  std::uint64_t loops = 0;  ///< edges from a vertex to itself, each as often as it is stored
};
/// O(n + arcs).
[[nodiscard]] edge_counts count_edges(graph_view g, const execution& on = {});

// A checksum that identifies the graph that was measured, so that results of different machines can be compared.

/// 64-bit hash of the number of vertices and of the arcs as they are stored (an edge of a list is the arc u -> v), each as often as it
/// occurs. It depends neither on the order of the arcs nor on widths, rows or list, and names of vertices have no part in it.
/// O(n + arcs), about as fast as memory is read.
[[nodiscard]] std::uint64_t graph_checksum(graph_view g, const execution& on = {});

}  // namespace copse
