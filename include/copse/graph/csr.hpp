// Compressed sparse rows: the arcs of vertex v are targets[offsets[v]] .. targets[offsets[v + 1] - 1].
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/types.hpp>

#include <span>

namespace copse {

/// Borrows a CSR graph. Trivially copyable. Ids and offsets are (32, 32), (32, 64) or (64, 64) bits.
template <unsigned_index Id, unsigned_index Offset>
struct csr_view {
  using id_type = Id;
  using offset_type = Offset;

  std::span<const Offset> offsets;  ///< n + 1 entries, ascending, offsets[0] = 0 (no entries at all: no vertices)
  std::span<const Id> targets;      ///< offsets[n] entries, each below n
  symmetry symmetric = symmetry::unknown;
  bool sorted = false;  ///< every row ascending

  [[nodiscard]] Id vertices() const noexcept { return offsets.empty() ? Id{0} : static_cast<Id>(offsets.size() - 1); }
  [[nodiscard]] Offset arcs() const noexcept { return static_cast<Offset>(targets.size()); }
  [[nodiscard]] std::span<const Id> row(Id v) const noexcept { return targets.subspan(offsets[v], offsets[v + 1] - offsets[v]); }
};

/// Owns a CSR graph.
template <unsigned_index Id, unsigned_index Offset>
struct csr {
  using id_type = Id;
  using offset_type = Offset;

  buffer<Offset> offsets;
  buffer<Id> targets;
  symmetry symmetric = symmetry::unknown;
  bool sorted = false;

  [[nodiscard]] csr_view<Id, Offset> view() const noexcept { return {offsets.span(), targets.span(), symmetric, sorted}; }
};

}  // namespace copse
