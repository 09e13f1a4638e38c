// What a rule declares about itself. Which combinations are valid follows from these, not from a hand-kept table.
#pragma once
#include <cstdint>
#include <string_view>

namespace copse {

/// Extra arrays that a rule needs in addition to the parents, each with one element per vertex.
enum class aux_array : std::uint8_t {
  none,
  search_stack,          ///< a stack of ids
  frontiers,             ///< two frontiers of ids: the current one and the next
  flags,                 ///< a byte: claimed or locked
  ranks,                 ///< 64-bit words of rank and parent instead of ids; then an array of labels
  labels,                ///< the labels of the round before
  stamps,                ///< the round in which a vertex was last busy
  edges,                 ///< two edges per vertex
  frontiers_and_labels,  ///< two frontiers, and the labels of the round before
};

struct rule_traits {
  bool concurrent = true;          ///< many threads may run it at once (sequential Rem may not)
  bool root_based = true;          ///< only roots get a new parent outside their tree: fit for forests and incremental use
  bool minimal_roots = true;       ///< a root is the smallest vertex of its tree: no last scatter-min pass is needed
  bool synchronous = false;        ///< works in rounds over flat labels, not edge by edge on a forest
  bool fresh_loads = false;        ///< loads must be coherent at the scope of all threads; otherwise a cached, stale one will do
  bool splices = false;            ///< takes a splice rule as well as a find
  bool moves_subtrees = false;     ///< a vertex may be cut from its tree for a moment (splice_atomic)
  bool compresses = false;         ///< its find writes a root that it saw some time ago (compress)
  bool from_scratch = false;       ///< does not start from sampled labels: a search
  bool needs_rows = false;         ///< works on CSR only
  bool needs_symmetric = false;    ///< both directions of every edge must be stored
  bool needs_edge_list = false;    ///< works on an edge list only
  bool needs_mutable_coo = false;  ///< rewrites the edge list: a copy, unless the caller gives the list away
  bool fast_path = false;          ///< sampler and finish are one piece (src/fast): no other sampler could call it
  std::string_view never = {};     ///< why the rule cannot be right, or cannot pay, in any combination
  aux_array aux = aux_array::none;
};

}  // namespace copse
