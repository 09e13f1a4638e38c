// Concatenates two lists of edges with weights: the forest of earlier edges, and then new edges.
//
// An edge that is not in the forest of some edges is not in the forest of more edges, so the forest may replace all earlier edges, and
// memory is O(vertices). Names ascend in both lists and in their union, so the order of edges, by weight and then by names, stays the same.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>

#include <memory_resource>

namespace copse::weighted {

/// Returns the edges of `first` in their order, and then those of `next`, over the union of their vertices by name. Weights are doubles;
/// the precision is that of `first`. Preconditions: both are lists, and their names are of one kind.
weighted_graph side_by_side(const graph& first, const weight_column& first_weights, const graph& next, const weight_column& next_weights,
                            unsigned threads, std::pmr::memory_resource* memory);

/// Copies a list whose weights are doubles.
weighted_graph copy_of(const graph& list, const weight_column& weights, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse::weighted
