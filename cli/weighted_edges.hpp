// Converts edges with weights between lists and rows, for copse convert.
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

/// Returns the arcs of the rows of `list`, in the order of the rows. Throws input_error if duplicates are to be dropped and an edge occurs
/// with two different weights.
weighted_graph arcs_of(const weighted_graph& list, const arc_settings& settings, std::pmr::memory_resource* memory);

/// Returns one arc per edge if both directions are stored with equal weights; otherwise all arcs.
weighted_graph edges_of(weighted_graph arcs, std::pmr::memory_resource* memory);

}  // namespace copse::cli
