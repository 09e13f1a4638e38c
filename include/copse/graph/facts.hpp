// What an array of rows really holds, whatever its file claims: found in one streaming pass, no memory, any order of the rows.
#pragma once
#include <copse/core/types.hpp>
#include <copse/graph/csr.hpp>

#include <cstdint>
#include <optional>

namespace copse {

struct row_facts {
  std::optional<std::uint64_t> bad_target;  ///< position of the first target that is no vertex; the other facts are then void
  bool sorted = true;                       ///< every row ascending
  /// `yes` or `no` by a 128-bit hash of the arcs of each direction, equal by chance for one asymmetric graph in 2^128. Repeated arcs must
  /// be repeated as often in the other row, or the answer is `no`, which is always safe.
  symmetry symmetric = symmetry::unknown;
};

/// O(n + arcs), about as fast as memory is read. Precondition: offsets ascend from 0 to the number of targets.
template <unsigned_index Id, unsigned_index Offset>
row_facts inspect(csr_view<Id, Offset> rows, unsigned threads = 0);

/// `rows.symmetric` when it is known, otherwise what inspect() finds.
template <unsigned_index Id, unsigned_index Offset>
symmetry detect_symmetry(csr_view<Id, Offset> rows, unsigned threads = 0) {
  return rows.symmetric != symmetry::unknown ? rows.symmetric : inspect(rows, threads).symmetric;
}

}  // namespace copse
