// What tests of tours share: forests, and tours as a child would walk them.
#pragma once
#include <gtest/gtest.h>
#include <copse/generate.hpp>
#include <copse/rooted_forest.hpp>
#include <support/forests.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "list_ranking/lists.hpp"

namespace copse::test {

struct plain_tour {
  std::vector<std::uint64_t> parents, depths, sizes, preorder, order;
  bool operator==(const plain_tour&) const = default;
};

inline plain_tour plain(const forest_tour& tour) {
  return std::visit(
      [](const auto& held) {
        const auto copy = [](const auto& from) { return std::vector<std::uint64_t>(from.begin(), from.end()); };
        return plain_tour{copy(held.parents), copy(held.depths), copy(held.sizes), copy(held.preorder), copy(held.order)};
      },
      tour.held());
}

/// Depth first from every smallest vertex, children by ascending ids, those larger than the parent first.
inline plain_tour expected_tour(std::uint32_t n, const edges32& edges) {
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (const auto e : edges) {
    neighbours[e.u].push_back(e.v);
    neighbours[e.v].push_back(e.u);
  }
  for (auto& row : neighbours) std::ranges::sort(row);
  plain_tour tour;
  for (auto* held : {&tour.parents, &tour.depths, &tour.preorder}) held->assign(n, no_vertex<std::uint64_t>);
  tour.sizes.assign(n, 1);
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t root = 0; root < n; ++root) {
    if (tour.parents[root] != no_vertex<std::uint64_t>) continue;
    tour.parents[root] = root;
    tour.depths[root] = 0;
    waiting.push_back(root);
    while (!waiting.empty()) {
      const auto v = waiting.back();
      waiting.pop_back();
      tour.preorder[v] = tour.order.size();
      tour.order.push_back(v);
      auto& row = neighbours[v];
      std::rotate(row.begin(), std::ranges::upper_bound(row, tour.parents[v]), row.end());
      std::ranges::reverse(row);  // the first to be walked to is pushed last
      for (const auto child : row) {
        if (child == tour.parents[v]) continue;
        tour.parents[child] = v;
        tour.depths[child] = tour.depths[v] + 1;
        waiting.push_back(child);
      }
    }
  }
  for (std::size_t place = n; place-- > 0;) {
    const auto v = tour.order[place];
    if (tour.parents[v] != v) tour.sizes[tour.parents[v]] += tour.sizes[v];
  }
  return tour;
}

struct plain_forest {
  std::uint32_t n;
  edges32 edges;
  [[nodiscard]] graph held() const { return forest_of(n, edges); }
};

inline plain_forest forest_from(const std::string& spec) {
  const graph generated = gen::generate_edges(spec);
  const auto& list = std::get<coo<std::uint32_t>>(generated.shape());
  return {list.vertex_count, {list.edges.begin(), list.edges.end()}};
}
/// Every `each`-th edge is cut: many trees, some of one vertex.
inline plain_forest cut(plain_forest whole, std::size_t each) {
  edges32 left;
  for (std::size_t i = 0; i < whole.edges.size(); ++i) {
    if (i % each != 0) left.push_back(whole.edges[i]);
  }
  whole.edges = left;
  return whole;
}
/// A spine of every `legs + 1`-th vertex, from which legs hang.
inline plain_forest caterpillar(std::uint32_t n, std::uint32_t legs) {
  plain_forest caterpillar{n, {}};
  for (std::uint32_t v = 1; v < n; ++v) {
    const std::uint32_t spine = v - v % (legs + 1);
    caterpillar.edges.push_back(v == spine ? edge<std::uint32_t>{v - legs - 1, v} : edge<std::uint32_t>{v, spine});
  }
  return caterpillar;
}
/// Vertex i becomes n - 1 - i: roots and hubs are the other ends.
inline plain_forest mirrored(plain_forest forest) {
  for (auto& e : forest.edges) e = {forest.n - 1 - e.u, forest.n - 1 - e.v};
  return forest;
}

}  // namespace copse::test
