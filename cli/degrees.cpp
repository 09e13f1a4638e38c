#include "degrees.hpp"

#include <algorithm>
#include <copse/build.hpp>
#include <copse/memory.hpp>
#include <numeric>

namespace copse::cli {
edge<std::uint64_t> edge_at(const graph& list, std::uint64_t i) {
  return std::visit(
      [i](const auto& shape) -> edge<std::uint64_t> {
        if constexpr (requires { shape.edges; }) {
          return {shape.edges[i].u, shape.edges[i].v};
        } else {
          return {};  // never: rows are no list
        }
      },
      list.shape());
}

edge_summary count_edges(graph_view any, unsigned threads) {
  return std::visit(
      [any, threads](const auto& g) {
        edge_summary sum;
        if constexpr (requires { g.edges; }) {
          sum.arcs = g.edges.size();
        } else {
          sum.arcs = g.targets.size();
        }
        sum.loops = count_loops(any, {.threads = threads});
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
