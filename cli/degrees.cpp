#include "degrees.hpp"

#include <algorithm>
#include <copse/memory.hpp>
#include <numeric>

namespace copse::cli {

edge<std::uint64_t> edge_at(const graph& list, std::uint64_t i) {
  return std::visit(
      [i](const auto& shape) -> edge<std::uint64_t> {
        if constexpr (requires { shape.edges; }) {
          return {shape.edges[i].u, shape.edges[i].v};
        } else {
          return {};  // never runs: edge_at() is called for lists of edges only, not for rows
        }
      },
      list.shape());
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
