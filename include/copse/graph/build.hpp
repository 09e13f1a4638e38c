// The one way from an edge list to rows, and from one-sided rows to symmetric ones.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/observer.hpp>
#include <copse/graph/graph.hpp>

namespace copse {

struct build_options {
  bool symmetrise = true;       ///< store every edge in both rows
  bool drop_duplicates = true;  ///< of equal arcs keep one
  bool drop_loops = true;
  unsigned threads = 0;  ///< 0: all cores that the process may use
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

/// Rows, sorted, of the narrowest offsets that hold them. The result does not depend on the threads.
/// O(n + m) work (counting, scatter) plus sorting each row. Throws resource_error when it does not fit.
graph build_csr(const graph& edges, const build_options& options = {});
graph build_csr(graph_view edges, const build_options& options = {});

/// Typed, for drivers that symmetrise inside the clock: rows of the given widths. Throws resource_error when offsets overflow.
template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> build_rows(coo_view<Id> edges, const build_options& options);
template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> symmetrise(csr_view<Id, Offset> rows, const build_options& options);

}  // namespace copse
