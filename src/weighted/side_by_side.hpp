// How edges with weights that arrive in lists become one list: the forest of what came before, and then the new edges.
//
// An edge that is not in the forest of some edges is in no forest of more, so the forest may take the place of all that came, and memory is
// O(vertices). Names are ascending in both lists and in their union, so the order of edges, by weight and then by names, stays the same.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>

#include <memory_resource>

namespace copse::weighted {

/// The edges of `first` in their order, and then those of `next`, over the vertices of both by their names. Weights are doubles; their
/// precision is that of `first`. Preconditions: two lists, whose names are of one kind.
weighted_graph side_by_side(const graph& first, const weight_column& first_weights, const graph& next, const weight_column& next_weights,
                            unsigned threads, std::pmr::memory_resource* memory);

/// Copies a list whose weights are doubles.
weighted_graph copy_of(const graph& list, const weight_column& weights, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse::weighted
