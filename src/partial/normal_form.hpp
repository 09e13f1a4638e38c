// The normal form of a partial answer: each answer has one form, so that equal answers have equal bytes, and the size of a file is
// proportional to the number of vertices seen. Labels and ids are as narrow as their number allows.
//
// Labels with integer ids: slots up to the largest id (absent ones are no_vertex) if at least half of them are present, which takes 4 to 8
// bytes per vertex; otherwise each vertex has a label and an id. Labels with string ids are left as they are.
//
// Forests: a list of edges (u, v), u < v, ascending, with weights that are doubles; all positions are vertices.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>

#include <memory_resource>

namespace copse::merging {

/// Returns the labels in normal form, the one form in which equal answers are saved. Throws usage_error if labels are numbers of
/// components, or not canonical (the smallest vertex of each component).
labelling normal_form(labelling labels, std::pmr::memory_resource* memory);

/// Returns a forest in normal form, the one form in which equal answers are saved. Throws usage_error for edges stored as rows, for columns
/// of different lengths, for a weight that is not a number, and for an integer weight that a double cannot represent. The caller must check
/// that the edges are a forest.
weighted_forest_result normal_form(const weighted_forest_result& found, std::pmr::memory_resource* memory);

/// The components of a list of edges, whose vertices are numbered from 0 whatever their names, and whether the list has no cycle.
struct forest_labels {
  labelling labels;
  bool is_forest = false;
};
forest_labels labels_of(const graph& list, std::pmr::memory_resource* memory);

}  // namespace copse::merging
