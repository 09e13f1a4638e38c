// What a bench tells: one JSON object for programs, one table a graph for people.
#pragma once
#include <string>
#include <vector>

#include "bench_graph.hpp"
#include "bench_trials.hpp"
#include "json.hpp"

namespace copse::cli {

/// {graph, vertices, arcs, edges, graph_checksum, components, checksum, rows: [..]}
json bench_json(const bench_graph& graph, const std::vector<measurement>& rows);
std::string bench_table(const bench_graph& graph, const std::vector<measurement>& rows);

}  // namespace copse::cli
