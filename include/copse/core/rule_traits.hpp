// What a rule declares about itself. Which combinations are valid follows from these, not from a hand-kept table.
#pragma once
#include <cstdint>

namespace copse {

/// Extra arrays that a rule needs beside the parents, one element a vertex each.
enum class aux_array : std::uint8_t { none, search_stack };

struct rule_traits {
  bool concurrent = true;          ///< many threads may run it at once (sequential Rem may not)
  bool root_based = true;          ///< only roots get a new parent outside their tree: fit for forests and incremental use
  bool minimal_roots = true;       ///< a root is the smallest vertex of its tree: no last scatter-min pass is needed
  bool fresh_loads = false;        ///< loads must be coherent at the scope of all threads; otherwise a cached, stale one will do
  bool splices = false;            ///< takes a splice rule as well as a find
  bool moves_subtrees = false;     ///< a vertex may be cut from its tree for a moment (splice_atomic)
  bool needs_rows = false;         ///< works on CSR only
  bool needs_symmetric = false;    ///< both directions of every edge must be stored
  bool needs_mutable_coo = false;  ///< rewrites the edge list (a copy; never the caller's)
  aux_array aux = aux_array::none;
};

}  // namespace copse
