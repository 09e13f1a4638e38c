#include "degrees.hpp"

#include <algorithm>
#include <numeric>

namespace copse::cli {
namespace {

/// visit(u, v) for every stored direction.
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

}  // namespace

edge_summary count_edges(graph_view any) {
  return std::visit(
      [](const auto& g) {
        edge_summary sum;
        each_arc(g, [&](auto u, auto v) {
          ++sum.arcs;
          sum.loops += u == v;
        });
        sum.edges = stores_both_directions(g) ? (sum.arcs - sum.loops) / 2 + sum.loops : sum.arcs;
        return sum;
      },
      any);
}

degree_summary summarise_degrees(graph_view any, std::pmr::memory_resource* memory) {
  return std::visit(
      [memory](const auto& g) {
        degree_summary sum;
        buffer<std::uint64_t> degrees(g.vertices(), memory);
        std::ranges::fill(degrees.span(), 0);
        const bool both = stores_both_directions(g);
        each_arc(g, [&](auto u, auto v) {
          ++degrees[u];
          if (!both || u == v) ++degrees[v];
        });
        if (degrees.empty()) return sum;
        const auto [low, high] = std::ranges::minmax(degrees.span());
        sum.min = low;
        sum.max = high;
        sum.mean =
            static_cast<double>(std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0})) / static_cast<double>(degrees.size());
        auto* middle = degrees.begin() + (degrees.size() - 1) / 2;
        std::nth_element(degrees.begin(), middle, degrees.end());
        sum.median = *middle;
        return sum;
      },
      any);
}

}  // namespace copse::cli
