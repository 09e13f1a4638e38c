// Clusters of a graph in memory.
#pragma once
#include <clusters/constraints.hpp>
#include <copse/cluster.hpp>
#include <copse/graph.hpp>
#include <copse/weighted_graph.hpp>

namespace copse::clusters {

/// Clusters the vertices of `g`. `limits` must be made for the same vertices.
cluster_result clusters_of_held(graph_view g, weights_view weights, const vertex_names& names, const cluster_rules& rules,
                                const constraints& limits, const execution& on);

/// Counts, for each limit, the vertices without a value.
std::vector<std::uint64_t> exempt_vertices(const constraints& limits);

}  // namespace copse::clusters
