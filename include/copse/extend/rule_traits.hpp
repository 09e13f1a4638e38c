// What a rule declares about itself. The valid combinations of rules follow from these traits, not from a table kept by hand.
#pragma once
#include <cstdint>
#include <string_view>

namespace copse {

/// Extra arrays that a rule needs in addition to the parents, each with one element per vertex.
enum class aux_array : std::uint8_t {
  none,
  search_stack,          ///< the stack of vertices of a depth-first search
  frontiers,             ///< two frontiers of ids: the current one and the next
  flags,                 ///< one byte per vertex: claimed or locked
  ranks,                 ///< 64-bit words with rank and parent instead of ids, and an array for the labels
  labels,                ///< the labels of the previous round
  stamps,                ///< the last round in which each vertex was active
  edges,                 ///< room to list two edges of the graph per vertex
  frontiers_and_labels,  ///< two frontiers of ids, and the labels of the previous round
};

struct rule_traits {
  bool concurrent = true;          ///< many threads may run it at once (sequential Rem may not)
  bool root_based = true;          ///< joins trees only by giving a root a parent, as spanning forests and incremental use need
  bool minimal_roots = true;       ///< a root is the smallest vertex of its tree, so that no final pass has to find that vertex
  bool synchronous = false;        ///< works in rounds over flat labels, not edge by edge on a forest
  bool fresh_loads = false;        ///< loads must be coherent across all threads; if false, a stale cached value is allowed
  bool splices = false;            ///< takes a splice rule as well as a find
  bool moves_subtrees = false;     ///< a vertex may be detached from its tree for a moment (splice_atomic)
  bool compresses = false;         ///< its find may store a root that is no longer a root, as compress may
  bool from_scratch = false;       ///< cannot start from sampled labels, because it is a search
  bool needs_rows = false;         ///< works on CSR only
  bool needs_symmetric = false;    ///< both directions of every edge must be stored
  bool needs_edge_list = false;    ///< works on an edge list only
  bool needs_mutable_coo = false;  ///< rewrites the edge list: works on a copy unless the caller hands the list over
  bool fast_path = false;          ///< sampler and finish are one unit (src/fast), which works with no other sampler
  std::string_view never = {};     ///< why every combination with this rule would be wrong or slow; empty: it is allowed
  aux_array aux = aux_array::none;
};

}  // namespace copse
