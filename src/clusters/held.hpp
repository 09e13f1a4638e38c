// Clusters of a graph in memory.
#pragma once
#include <clusters/constraints.hpp>
#include <copse/cluster.hpp>
#include <copse/graph.hpp>
#include <copse/weighted_graph.hpp>

namespace copse::clusters {

/// `limits` are of the vertices of `g`.
cluster_result clusters_of_held(graph_view g, weights_view weights, const vertex_names& names, const cluster_rules& rules,
                                const constraints& limits, const execution& on);

/// For each limit the vertices without a value.
std::vector<std::uint64_t> exempt_vertices(const constraints& limits);

}  // namespace copse::clusters
