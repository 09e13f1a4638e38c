// What a bench tells: one JSON object a graph for programs, one table for people, one line for every answer that was none.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench_trials.hpp"
#include "json.hpp"
#include "memory_floor.hpp"

namespace copse::cli {

struct graph_facts {
  std::string text;  ///< as the user wrote it
  std::uint64_t vertices = 0, arcs = 0, edges = 0, graph_checksum = 0, components = 0;
  std::uint64_t checksum = 0;                              ///< of the right labels
  std::optional<std::uint64_t> list_edges = std::nullopt;  ///< of a list, with its loops and repeats
  std::optional<memory_floor> floor = std::nullopt;        ///< where a GPU solved
};

/// {graph, vertices, arcs, edges, graph_checksum, components, checksum, memory_floor (of a GPU), rows: [..]}
json bench_json(const graph_facts& graph, const std::vector<measurement>& measurements);
std::string bench_table(const graph_facts& graph, const std::vector<measurement>& measurements);
/// Of the measurements that were counted: the columns of the GConn paper's Table 3 and Figure 6.
std::string work_table(const graph_facts& graph, const std::vector<measurement>& measurements);

/// Rows that gave wrong labels or none, and the exit code of the worst.
struct bench_faults {
  std::vector<std::string> lines;
  int exit_code = 0;
};
bench_faults faults_of(const graph_facts& graph, const std::vector<measurement>& measurements);

}  // namespace copse::cli
