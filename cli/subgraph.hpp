// The part of a graph that one component is.
#pragma once
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>
#include <cstdint>

namespace copse::cli {

/// The vertices whose label is `label`, with their names, and the edges between them: rows from rows, a list from a list.
graph component_of(const graph& g, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory);
/// The same part of a list of edges, with their weights.
weighted_graph component_of(const weighted_graph& g, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory);

}  // namespace copse::cli
