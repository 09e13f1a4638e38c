// The edges of a graph, whatever its form: visited, and counted at each vertex.
#pragma once
#include <copse/graph.hpp>
#include <cstdint>
#include <memory_resource>
#include <variant>

namespace copse::cli {

struct degree_summary {
  std::uint64_t min = 0, median = 0, max = 0;
  double mean = 0;
};

/// Calls visit(u, v) once for each arc that is stored in rows, or once for each edge of a list. So an edge is visited twice if rows store
/// both of its directions.
template <class View, class Visit>
void each_arc(const View& g, Visit visit) {
  if constexpr (requires { g.edges; }) {
    for (const auto& [u, v] : g.edges) visit(u, v);
  } else {
    for (typename View::id_type u = 0; u < g.vertices(); ++u) {
      for (const auto v : g.row(u)) visit(u, v);
    }
  }
}

template <class View>
bool stores_both_directions(const View& g) {
  if constexpr (requires { g.symmetric; }) {
    return g.symmetric == symmetry::yes;
  } else {
    return false;
  }
}

/// Calls visit(i, u, v) for every edge i of a list, such as a forest. Does nothing for rows.
template <class Visit>
void each_edge_of_list(const graph& list, Visit visit) {
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (std::uint64_t i = 0; i < shape.edges.size(); ++i) visit(i, shape.edges[i].u, shape.edges[i].v);
        }
      },
      list.shape());
}
/// Returns edge i of a list.
edge<std::uint64_t> edge_at(const graph& list, std::uint64_t i);

/// Summarises the degrees of all vertices. A loop counts as two. Of two middle values the median is the lower one. Allocates 8 bytes per
/// vertex.
degree_summary summarise_degrees(graph_view g, std::pmr::memory_resource* memory);

}  // namespace copse::cli
