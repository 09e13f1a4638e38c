// How many neighbours vertices have: the edge counted at both ends, whatever is stored.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <cstdint>

namespace copse::cli {

struct degree_summary {
  std::uint64_t min = 0, median = 0, max = 0;
  double mean = 0;
};

/// Edges and arcs as they are stored; `loops` are edges from a vertex to itself.
struct edge_summary {
  std::uint64_t edges = 0;
  std::uint64_t arcs = 0;
  std::uint64_t loops = 0;
};

/// In symmetric rows an edge is stored twice and a loop once; everywhere else one stored direction is one edge.
edge_summary count_edges(graph_view g);

/// A loop counts as two. The median is the lower one. 8 bytes per vertex while it runs.
degree_summary summarise_degrees(graph_view g, std::pmr::memory_resource* memory);

}  // namespace copse::cli
