// Bridges, articulation points and what is left without them, by their definitions: things are taken away one at a time, and components
// are counted. For graphs of a few vertices.
#pragma once
#include <copse/bridges.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace copse::test {

using edges32 = std::vector<edge<std::uint32_t>>;

/// Smallest vertices of the components of the edges that `kept(i)` keeps.
template <class Kept>
std::vector<std::uint64_t> labels_where(std::uint32_t n, const edges32& edges, Kept kept) {
  std::vector<std::uint64_t> labels(n);
  std::iota(labels.begin(), labels.end(), std::uint64_t{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      auto &a = labels[edges[i].u], &b = labels[edges[i].v];
      if (a == b || !kept(i)) continue;
      a = b = std::min(a, b);
      changed = true;
    }
  }
  return labels;
}

inline std::uint64_t classes_in(const std::vector<std::uint64_t>& labels) {
  std::uint64_t count = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) count += labels[v] == v ? 1 : 0;
  return count;
}

struct plain_bridges {
  std::vector<std::uint64_t> bridges, sides, points, labels;
  std::vector<std::vector<std::uint64_t>> blocks;
  bool operator==(const plain_bridges&) const = default;
};

inline plain_bridges plain(const bridges_result& found) {
  const auto copy = [](const auto& from) { return std::vector<std::uint64_t>(from.begin(), from.end()); };
  plain_bridges result{copy(found.positions), copy(found.smaller_sides), copy(found.articulation_points), {}, {}};
  for (std::uint64_t v = 0; v < found.two_edge_connected.slots(); ++v) result.labels.push_back(found.two_edge_connected.label(v));
  for (std::uint64_t b = 0; b < found.biconnected.count(); ++b) {
    const auto* const all = found.biconnected.vertices.begin();
    result.blocks.emplace_back(all + found.biconnected.offsets[b], all + found.biconnected.offsets[b + 1]);
  }
  return result;
}

inline bool parallel(edge<std::uint32_t> e, edge<std::uint32_t> f) { return std::minmax(e.u, e.v) == std::minmax(f.u, f.v); }

inline plain_bridges bridges_by_definition(std::uint32_t n, const edges32& edges, bool simple) {
  plain_bridges result;
  const auto whole = labels_where(n, edges, [](std::size_t) { return true; });
  std::vector<bool> is_bridge(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto gone = [&](std::size_t k) { return k == i || (simple && parallel(edges[k], edges[i])); };
    const auto parted = labels_where(n, edges, [&](std::size_t k) { return !gone(k); });
    is_bridge[i] = parted != whole;
    bool first = true;
    for (std::size_t k = 0; k < i; ++k) first &= !gone(k);
    if (!is_bridge[i] || !first) continue;
    result.bridges.push_back(i);
    result.sides.push_back(static_cast<std::uint64_t>(
        std::min(std::ranges::count(parted, parted[edges[i].u]), std::ranges::count(parted, parted[edges[i].v]))));
  }
  result.labels = labels_where(n, edges, [&](std::size_t i) { return !is_bridge[i]; });
  // Two edges at a vertex are on a cycle if their other ends are joined without that vertex; what chains of such edges join is a component.
  edges32 joined;
  for (std::uint32_t v = 0; v < n; ++v) {
    const auto without = labels_where(n, edges, [&](std::size_t i) { return edges[i].u != v && edges[i].v != v; });
    std::vector<std::uint64_t> sides;
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      for (std::uint32_t k = 0; k < i; ++k) {
        const auto end = [&](std::size_t at) { return edges[at].u == v ? edges[at].v : edges[at].u; };
        const bool both = (edges[i].u == v || edges[i].v == v) && (edges[k].u == v || edges[k].v == v);
        if (both && end(i) != v && end(k) != v && without[end(i)] == without[end(k)]) joined.push_back({i, k});
      }
      if ((edges[i].u == v) != (edges[i].v == v)) sides.push_back(without[edges[i].u == v ? edges[i].v : edges[i].u]);
    }
    std::ranges::sort(sides);
    if (std::unique(sides.begin(), sides.end()) - sides.begin() > 1) result.points.push_back(v);
  }
  const auto block = labels_where(static_cast<std::uint32_t>(edges.size()), joined, [](std::size_t) { return true; });
  for (std::size_t b = 0; b < edges.size(); ++b) {
    std::vector<std::uint64_t> set;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (block[i] == b && edges[i].u != edges[i].v) set.insert(set.end(), {edges[i].u, edges[i].v});
    }
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    if (!set.empty()) result.blocks.push_back(set);
  }
  std::ranges::sort(result.blocks);
  return result;
}

}  // namespace copse::test
