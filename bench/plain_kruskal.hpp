// Kruskal's algorithm as textbooks have it: what our own variants on one thread are measured against.
#pragma once
#include <copse/copse.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace copse::bench {

struct plain_edge {
  std::uint32_t weight, u, v;
};

/// The minimum spanning forest of rows, by std::sort of all edges by weight, and union-find with halving of ways.
template <class Rows>
std::vector<plain_edge> plain_kruskal(const Rows& rows, std::span<const std::uint32_t> weights) {
  std::vector<plain_edge> edges, forest;
  edges.reserve(weights.size() / 2);
  for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
    for (auto a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) {
      if (u < rows.targets[a]) edges.push_back({weights[a], u, static_cast<std::uint32_t>(rows.targets[a])});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const plain_edge& a, const plain_edge& b) { return a.weight < b.weight; });
  std::vector<std::uint32_t> parents(rows.vertices());
  std::iota(parents.begin(), parents.end(), 0u);
  const auto root = [&parents](std::uint32_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const plain_edge& e : edges) {
    const std::uint32_t u = root(e.u), v = root(e.v);
    if (u == v) continue;
    parents[std::max(u, v)] = std::min(u, v);
    forest.push_back(e);
  }
  return forest;
}

}  // namespace copse::bench
