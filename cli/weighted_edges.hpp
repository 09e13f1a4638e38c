// Edges with weights on their way from one format to another.
#pragma once
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>

namespace copse::cli {

/// How a list with weights becomes rows; build_csr() does this for a list without weights.
struct arc_settings {
  bool symmetrise = true;
  bool drop_duplicates = true;
  bool drop_loops = true;
};

/// The arcs of these rows, in their order. Throws input_error for an edge that is there twice with two weights, where duplicates go.
weighted_graph arcs_of(const weighted_graph& list, const arc_settings& settings, std::pmr::memory_resource* memory);

/// The edges of arcs with weights: one arc per edge if both directions are stored with equal weights; otherwise all arcs.
weighted_graph edges_of(weighted_graph arcs, std::pmr::memory_resource* memory);

}  // namespace copse::cli
