// What a rule declares about itself. The valid combinations of rules follow from these traits, not from a table kept by hand.
#pragma once
#include <cstdint>
#include <string_view>

namespace copse {

/// Extra arrays that a rule needs in addition to the parents, each with one element per vertex.
enum class aux_array : std::uint8_t {
  none,
  search_stack,          ///< the stack of vertices of a depth-first search
  frontiers,             ///< two lists of vertices: the frontier of a search in this round and in the next
  flags,                 ///< one byte per vertex: nonzero if a thread has claimed the vertex, or holds its lock
  ranks,                 ///< 64-bit words, each with the rank and the parent of a vertex, in place of an array of parents
  labels,                ///< the labels of the previous round
  stamps,                ///< for each root, the last round in which its tree changed
  edges,                 ///< room for a list of two edges per vertex: edges that have changed parents are visited again
  frontiers_and_labels,  ///< two lists of vertices, as for `frontiers`, and the labels of the previous round
};

struct rule_traits {
  bool concurrent = true;          ///< many threads may run it at once (sequential Rem may not)
  bool root_based = true;          ///< joins trees only by giving a root a parent, as spanning forests and incremental use need
  bool minimal_roots = true;       ///< a root is the smallest vertex of its tree, so that no final pass has to find that vertex
  bool synchronous = false;        ///< works in rounds over the labels of all vertices, not edge by edge on trees
  bool fresh_loads = false;        ///< loads must be coherent across all threads; if false, a stale cached value is allowed
  bool splices = false;            ///< takes a splice rule as well as a find
  bool moves_subtrees = false;     ///< a vertex may be detached from its tree for a moment (splice_atomic)
  bool compresses = false;         ///< its find, such as compress, may store as a parent a vertex that has just ceased to be a root
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
