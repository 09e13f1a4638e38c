// Spanning forests by the plainest means, and ways to spoil them: every proof must refuse all of them.
#pragma once
#include <copse/graph.hpp>
#include <copse/views.hpp>
#include <support/labels.hpp>
#include <support/reference.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace copse::test {

using edges32 = std::vector<edge<std::uint32_t>>;

template <class Id = std::uint32_t>
graph forest_of(Id vertices, const edges32& edges) {
  coo<Id> list{vertices, buffer<edge<Id>>{edges.size()}};
  for (std::size_t i = 0; i < edges.size(); ++i) list.edges[i] = {edges[i].u, edges[i].v};
  return graph{std::move(list)};
}

/// The tree arcs of a breadth-first search from every smallest vertex.
inline edges32 reference_forest(coo_view<std::uint32_t> graph) {
  std::vector<std::vector<std::uint32_t>> neighbours(graph.vertices());
  for (const auto e : graph.edges) {
    neighbours[e.u].push_back(e.v);
    neighbours[e.v].push_back(e.u);
  }
  std::vector<bool> reached(graph.vertices());
  edges32 forest;
  std::vector<std::uint32_t> queue;
  for (std::uint32_t start = 0; start < graph.vertices(); ++start) {
    if (reached[start]) continue;
    reached[start] = true;
    queue.assign(1, start);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const auto next : neighbours[queue[head]]) {
        if (reached[next]) continue;
        reached[next] = true;
        forest.push_back({queue[head], next});
        queue.push_back(next);
      }
    }
  }
  return forest;
}

using forest_mutation = std::function<std::optional<edges32>(coo_view<std::uint32_t>, edges32)>;  // nothing: the graph has no such fault
struct named_forest_mutation {
  std::string name;
  forest_mutation apply;
};

namespace forest_faults {

inline std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_of(coo_view<std::uint32_t> g) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto e : g.edges) pairs.insert(std::minmax(e.u, e.v));
  return pairs;
}

inline std::optional<edges32> drop(edges32 forest, std::size_t at) {
  if (forest.empty()) return std::nullopt;
  forest.erase(forest.begin() + static_cast<std::ptrdiff_t>(at));
  return forest;
}
inline std::optional<edges32> drop_first(coo_view<std::uint32_t>, edges32 forest) { return drop(std::move(forest), 0); }
inline std::optional<edges32> drop_last(coo_view<std::uint32_t>, edges32 forest) {
  const std::size_t last = forest.empty() ? 0 : forest.size() - 1;
  return drop(std::move(forest), last);
}
inline std::optional<edges32> drop_all(coo_view<std::uint32_t>, edges32 forest) {
  if (forest.empty()) return std::nullopt;
  return edges32{};
}
inline std::optional<edges32> repeat_one(coo_view<std::uint32_t>, edges32 forest) {
  if (forest.empty()) return std::nullopt;
  forest.push_back(forest.front());
  return forest;
}
/// The count stays right: one edge is there twice, once reversed, and another is lost. What a variant does that reports links twice.
inline std::optional<edges32> repeat_one_for_another(coo_view<std::uint32_t>, edges32 forest) {
  if (forest.size() < 2) return std::nullopt;
  forest.back() = {forest.front().v, forest.front().u};
  return forest;
}
/// An edge of the graph too many.
inline std::optional<edges32> close_a_cycle(coo_view<std::uint32_t> g, edges32 forest) {
  const auto chosen = pairs_of({g.vertices(), forest});
  for (const auto& [u, v] : pairs_of(g)) {
    if (u == v || chosen.contains({u, v})) continue;
    forest.push_back({u, v});
    return forest;
  }
  return std::nullopt;
}
/// The count stays right, every edge is the graph's: one closes a cycle, and another is lost.
inline std::optional<edges32> close_a_cycle_for_another(coo_view<std::uint32_t> g, edges32 forest) {
  auto more = close_a_cycle(g, forest);
  if (!more || forest.size() < 3) return std::nullopt;
  const auto added = more->back();
  for (std::size_t i = 0; i < forest.size(); ++i) {
    auto without = forest;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    const auto apart = reference_labels(coo_view<std::uint32_t>{g.vertices(), without});
    if (apart[added.u] != apart[added.v]) continue;  // edge i was on the cycle: another right forest
    without.push_back(added);
    return without;
  }
  return std::nullopt;
}
/// Spans the right trees without a cycle, but by an edge that the graph does not have.
inline std::optional<edges32> bend_one(coo_view<std::uint32_t> g, edges32 forest) {
  const auto known = pairs_of(g);
  std::vector<unsigned> degrees(g.vertices());
  for (const auto e : forest) ++degrees[e.u], ++degrees[e.v];
  const auto labels = reference_labels(g);
  for (auto& e : forest) {
    for (const bool turned : {false, true}) {
      const auto leaf = turned ? e.u : e.v;
      if (degrees[leaf] != 1) continue;
      for (std::uint32_t other = 0; other < g.vertices(); ++other) {
        if (other == leaf || labels[other] != labels[leaf] || known.contains(std::minmax(other, leaf))) continue;
        e = {leaf, other};
        return forest;
      }
    }
  }
  return std::nullopt;
}
/// One edge more, between two components.
inline std::optional<edges32> join_components(coo_view<std::uint32_t> g, edges32 forest) {
  const auto labels = reference_labels(g);
  for (std::uint32_t v = 1; v < g.vertices(); ++v) {
    if (labels[v] == labels[0]) continue;
    forest.push_back({0, v});
    return forest;
  }
  return std::nullopt;
}
/// The count stays right: two components are joined, and a leaf is cut off.
inline std::optional<edges32> join_components_for_a_leaf(coo_view<std::uint32_t> g, edges32 forest) {
  auto more = join_components(g, forest);
  if (!more || forest.empty()) return std::nullopt;
  more->erase(more->begin() + static_cast<std::ptrdiff_t>(forest.size() - 1));
  return more;
}
inline std::optional<edges32> add_a_loop(coo_view<std::uint32_t> g, edges32 forest) {
  if (g.vertices() == 0) return std::nullopt;
  forest.push_back({0, 0});
  return forest;
}
inline std::optional<edges32> loop_for_an_edge(coo_view<std::uint32_t>, edges32 forest) {
  if (forest.empty()) return std::nullopt;
  forest.back() = {forest.back().u, forest.back().u};
  return forest;
}
inline std::optional<edges32> leave_the_graph(coo_view<std::uint32_t> g, edges32 forest) {
  if (forest.empty()) return std::nullopt;
  forest.back().v = g.vertices();
  return forest;
}
/// What a slot that nobody wrote would hold.
inline std::optional<edges32> forget_a_slot(coo_view<std::uint32_t>, edges32 forest) {
  if (forest.empty()) return std::nullopt;
  forest.back() = {no_vertex<std::uint32_t>, no_vertex<std::uint32_t>};
  return forest;
}
inline std::optional<edges32> zero_a_slot(coo_view<std::uint32_t>, edges32 forest) {
  if (forest.empty()) return std::nullopt;
  forest.back() = {0, 0};
  return forest;
}

}  // namespace forest_faults

inline const std::vector<named_forest_mutation>& forest_mutations() {
  using namespace forest_faults;
  static const std::vector<named_forest_mutation> all{{"drop_first", drop_first},
                                                      {"drop_last", drop_last},
                                                      {"drop_all", drop_all},
                                                      {"repeat_one", repeat_one},
                                                      {"repeat_one_for_another", repeat_one_for_another},
                                                      {"close_a_cycle", close_a_cycle},
                                                      {"close_a_cycle_for_another", close_a_cycle_for_another},
                                                      {"bend_one", bend_one},
                                                      {"join_components", join_components},
                                                      {"join_components_for_a_leaf", join_components_for_a_leaf},
                                                      {"add_a_loop", add_a_loop},
                                                      {"loop_for_an_edge", loop_for_an_edge},
                                                      {"leave_the_graph", leave_the_graph},
                                                      {"forget_a_slot", forget_a_slot},
                                                      {"zero_a_slot", zero_a_slot}};
  return all;
}

}  // namespace copse::test
