// Builds rows from edge lists, symmetrises rows, and computes properties and checksums of graphs.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <optional>

namespace copse {

// Building rows from an edge list, and symmetric rows from rows that store one direction.

struct build_options {
  bool symmetrise = true;       ///< store every edge in the rows of both its ends
  bool drop_duplicates = true;  ///< keep only one of several equal arcs
  bool drop_loops = true;
};

/// Builds sorted rows from an edge list or from other rows, with the narrowest offset type that fits. The result does not depend on the
/// threads. O(n + m) work (counting, scatter) in addition to sorting each row. Throws resource_error when it does not fit.
[[nodiscard]] graph build_csr(const graph& edges, const build_options& options = {}, const execution& on = {});
[[nodiscard]] graph build_csr(graph_view edges, const build_options& options = {}, const execution& on = {});

/// Like build_csr(), but the caller chooses the widths of ids and offsets: build_rows() makes rows of an edge list, symmetrise() of other
/// rows. Throws resource_error if there are more arcs than the offset type can count.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] csr<Id, Offset> build_rows(coo_view<Id> edges, const build_options& options, const execution& on);
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] csr<Id, Offset> symmetrise(csr_view<Id, Offset> rows, const build_options& options, const execution& on);

// Properties of rows, measured from the arrays instead of believed from a file: one streaming pass, without extra memory, for any order of
// the targets in a row.

struct row_facts {
  std::optional<std::uint64_t> bad_target;  ///< position of the first target that is no vertex; the other facts are then void
  bool sorted = true;                       ///< the targets of every row ascend
  /// `yes` if the arcs u -> v with u < v and the reversed arcs with u > v have equal 128-bit hashes; an asymmetric graph passes by chance
  /// with probability 2^-128. An arc that is repeated must be repeated as often in the other direction. Otherwise the answer is `no`, which
  /// is always safe.
  symmetry symmetric = symmetry::unknown;
};

/// Measures row_facts in O(n + arcs), about as fast as memory is read. Precondition: offsets ascend from 0 to the number of targets.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] row_facts inspect(csr_view<Id, Offset> rows, const execution& on = {});

/// `rows.symmetric` if it is known, otherwise the value that inspect() finds.
template <unsigned_index Id, unsigned_index Offset>
[[nodiscard]] symmetry detect_symmetry(csr_view<Id, Offset> rows, const execution& on = {}) {
  return rows.symmetric != symmetry::unknown ? rows.symmetric : inspect(rows, on).symmetric;
}

struct edge_counts {
  /// In rows with both directions, pairs of arcs u -> v and v -> u, and each loop once; otherwise every arc is an
  /// edge.
  std::uint64_t edges = 0;
  std::uint64_t arcs = 0;   ///< arcs as they are stored; for a list, the number of its edges
  std::uint64_t loops = 0;  ///< edges from a vertex to itself, each as often as it is stored
};
/// Counts edges, arcs and loops in O(n + arcs).
[[nodiscard]] edge_counts count_edges(graph_view g, const execution& on = {});

// Checksum of a graph: equal checksums show that benchmark results of different machines are about the same graph.

/// 64-bit hash of the number of vertices and of the multiset of arcs as they are stored (an edge of a list is the arc u -> v). It does not
/// depend on the order of the arcs, on the widths of ids and offsets, on the storage as rows or list, or on vertex names. O(n + arcs),
/// about as fast as memory is read.
[[nodiscard]] std::uint64_t graph_checksum(graph_view g, const execution& on = {});

}  // namespace copse
