// The normal form of a partial answer: one value for each answer, so that equal answers are equal bytes, and a file is bounded by the
// vertices that were seen. Labels and ids are as narrow as their number allows.
//
// Labels by integers: slots up to the largest id (absent ones no_vertex) when at most every second one is absent, which takes 4 to 8 bytes
// per vertex; otherwise each vertex has a label and an id. Labels by strings are left as they are.
//
// Forests: a list of edges (u, v), u < v, ascending, with weights that are doubles; all positions are vertices.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>

#include <memory_resource>

namespace copse::merging {

/// Throws usage_error when labels are numbers of components, or not canonical.
labelling normal_form(labelling labels, std::pmr::memory_resource* memory);

/// Throws usage_error for rows, for columns of different length, for a weight that is not a number, and for an integer that no double
/// holds. Whether the edges are a forest is the caller's to check.
weighted_forest_result normal_form(const weighted_forest_result& found, std::pmr::memory_resource* memory);

/// Canonical labels of the vertices of a list of edges by their positions, and whether no edge closes a cycle.
struct forest_labels {
  labelling labels;
  bool is_forest = false;
};
forest_labels labels_of(const graph& list, std::pmr::memory_resource* memory);

}  // namespace copse::merging
