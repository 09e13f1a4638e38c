// The engine alone: sets of neighbours of all sizes, and components while edges arrive and leave one by one.
#include <gtest/gtest.h>
#include <copse/memory.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/neighbour_sets.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/sanitized.hpp"
#include "support/sweep_length.hpp"

namespace copse::test {
namespace {

using dynamics::none;
using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(dynamic_neighbour_sets, hold_what_a_set_holds_while_they_grow_and_shrink) {
  dynamics::neighbour_sets sets{host_memory()};
  std::mt19937 random{1};
  for (const std::uint32_t most : {3u, 16u, 17u, 40u, 5000u}) {
    dynamics::neighbour_set set;
    std::set<std::uint32_t> expected;
    for (int round = 0; round < 6; ++round) {
      for (std::uint32_t i = 0; i < 4 * most; ++i) {
        const std::uint32_t x = static_cast<std::uint32_t>(random() % (2 * most)) * (most == 40 ? 1u << 20 : 1u);
        const bool grows = round % 2 == 0 ? random() % 4 != 0 : random() % 6 == 0;
        ASSERT_EQ(sets.contains(set, x), expected.contains(x));
        if (!grows) {
          ASSERT_EQ(sets.erase(set, x), expected.erase(x) == 1);
        } else if (expected.insert(x).second) {
          sets.insert(set, x);
        }
        ASSERT_EQ(set.count, expected.size());
      }
      std::vector<std::uint32_t> found;
      EXPECT_FALSE(sets.any_of(set, [&](std::uint32_t x) {
        found.push_back(x);
        return false;
      }));
      for (const std::size_t at_once : {1u, 3u, 8u}) {
        std::vector<std::uint32_t> copied, some(at_once);
        std::uint32_t place = 0;
        while (const std::size_t count = sets.copy(set, place, some)) copied.insert(copied.end(), some.begin(), some.begin() + count);
        ASSERT_EQ(copied, found);
      }
      std::sort(found.begin(), found.end());
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
    sets.clear(set);
    EXPECT_EQ(set.count, 0u);
  }
}

// Labels by a union-find structure: the smallest vertex of each component.
std::vector<std::uint32_t> labels_of(std::uint32_t vertices, const edge_list& edges) {
  std::vector<std::uint32_t> parent(vertices);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [u, v] : edges) {
    const auto [low, high] = std::minmax({root(u), root(v)});
    parent[high] = low;
  }
  for (std::uint32_t v = 0; v < vertices; ++v) parent[v] = root(v);
  return parent;
}

void expect_components(const dynamics::dynamic_components& graph, std::uint32_t vertices, const edge_list& edges) {
  const std::vector<std::uint32_t> labels = labels_of(vertices, edges);
  std::vector<std::uint32_t> size(vertices, 0), record(vertices, none);
  for (const std::uint32_t label : labels) ++size[label];
  ASSERT_EQ(graph.edges(), edges.size());
  ASSERT_EQ(graph.components(), static_cast<std::uint64_t>(std::count_if(size.begin(), size.end(), [](auto s) { return s != 0; })));
  std::uint64_t members = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    std::uint32_t& of_label = record[labels[v]];
    if (of_label == none) {
      of_label = graph.record_of(v);
      graph.for_each_member(of_label, [&](std::uint32_t x) {
        ASSERT_EQ(labels[x], labels[v]) << "the tree spans its component";
        ++members;
      });
    }
    ASSERT_EQ(graph.record_of(v), of_label);
    ASSERT_EQ(graph.record(of_label).size, size[labels[v]]);
  }
  ASSERT_EQ(members, vertices);
  std::size_t neighbours = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) graph.for_each_neighbour(v, [&](std::uint32_t w) { neighbours += w == v ? 2 : 1; });
  ASSERT_EQ(neighbours, 2 * edges.size()) << "an edge is in the forest or outside it";
  for (const auto& [u, v] : edges) ASSERT_TRUE(graph.has_edge(u, v) && graph.has_edge(v, u));
}

edge_list unique(const edge_list& edges, std::mt19937& random) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> kept;
  for (const auto& [u, v] : edges) kept.insert(std::minmax(u, v));
  edge_list list(kept.begin(), kept.end());
  std::shuffle(list.begin(), list.end(), random);
  return list;
}

// All edges arrive and leave in random order, in batches of all sizes; components are compared at a few moments.
void insert_and_erase(std::uint32_t vertices, const edge_list& all, unsigned seed) {
  std::mt19937 random{seed};
  dynamics::dynamic_components graph{host_memory()};
  graph.reserve(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_TRUE(graph.add_vertex(v));
  edge_list edges = unique(all, random);
  for (const auto& [u, v] : edges) {
    if (random() % 32 == 0) graph.forget_batch();
    ASSERT_TRUE(graph.insert(u, v));
  }
  ASSERT_NO_FATAL_FAILURE(expect_components(graph, vertices, edges));
  for (const auto& [u, v] : edges) ASSERT_FALSE(graph.insert(v, u)) << "an edge is there once";
  const std::size_t step = edges.size() / 7 + 1;
  while (!edges.empty()) {
    std::shuffle(edges.begin(), edges.end(), random);
    for (std::size_t i = 0; i < step && !edges.empty(); ++i) {
      ASSERT_TRUE(graph.erase(edges.back().second, edges.back().first));
      ASSERT_FALSE(graph.erase(edges.back().first, edges.back().second));
      edges.pop_back();
      if (random() % 64 == 0) graph.forget_batch();
    }
    ASSERT_NO_FATAL_FAILURE(expect_components(graph, vertices, edges));
  }
  for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_TRUE(graph.isolated(v));
}

// Erases the last `count` edges. Some of these are named twice, and some edges are named that are not there.
void erase_last(dynamics::dynamic_components& graph, edge_list& edges, std::size_t count) {
  std::vector<dynamics::dynamic_components::pair> pairs;
  for (std::size_t i = edges.size() - count; i < edges.size(); ++i) {
    pairs.push_back({edges[i].first, edges[i].second});
    if (i % 5 == 0) pairs.push_back({edges[i].second, edges[i].first});
    if (i % 7 == 0) pairs.push_back({edges[i].first, graph.slots() + edges[i].second});
  }
  std::vector<unsigned char> has_left(pairs.size(), 0);
  const std::uint64_t before = graph.edges();
  graph.erase_together(pairs, has_left);
  std::set<std::pair<std::uint32_t, std::uint32_t>> gone;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [u, v] = std::minmax(pairs[i].u, pairs[i].v);
    const bool is_first = v < graph.slots() && gone.insert({u, v}).second;
    ASSERT_EQ(has_left[i] != 0, is_first);
    ASSERT_FALSE(v < graph.slots() && graph.has_edge(u, v));
  }
  ASSERT_EQ(graph.edges() + gone.size(), before);
  ASSERT_EQ(gone.size(), count);
  edges.resize(edges.size() - count);
}

// Edges leave in few batches, of which the last erases all that is left; some are erased twice, and some come back in the same batch.
void erase_together(std::uint32_t vertices, const edge_list& all, unsigned batches, unsigned threads) {
  std::mt19937 random{batches};
  dynamics::dynamic_components graph{host_memory(), threads};
  graph.reserve(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_TRUE(graph.add_vertex(v));
  edge_list edges = unique(all, random);
  for (const auto& [u, v] : edges) ASSERT_TRUE(graph.insert(u, v));
  for (; batches != 0; --batches) {
    graph.forget_batch();
    std::shuffle(edges.begin(), edges.end(), random);
    edge_list again;
    ASSERT_NO_FATAL_FAILURE(erase_last(graph, edges, edges.size() / batches / 2));
    for (std::size_t left = edges.size() - edges.size() / batches; edges.size() != left; edges.pop_back()) {
      const auto& [u, v] = edges.back();
      ASSERT_TRUE(graph.erase_later(u, v));
      ASSERT_FALSE(graph.erase_later(v, u));
      ASSERT_FALSE(graph.has_edge(u, v));
      if (batches != 1 && random() % 64 == 0) again.push_back(edges.back());
    }
    for (const auto& [u, v] : again) ASSERT_TRUE(graph.insert(u, v));
    edges.insert(edges.end(), again.begin(), again.end());
    for (std::size_t i = 0; !again.empty() && i < edges.size() / 50; ++i, edges.pop_back())
      ASSERT_TRUE(graph.erase_later(edges.back().second, edges.back().first));
    graph.settle_moves();
    ASSERT_NO_FATAL_FAILURE(expect_components(graph, vertices, edges));
  }
}

edge_list random_edges(std::uint32_t vertices, std::size_t count, unsigned seed) {
  std::mt19937 random{seed};
  edge_list edges;
  for (std::size_t i = 0; i < count; ++i) edges.emplace_back(random() % vertices, random() % vertices);
  return edges;
}

edge_list grid_of(std::uint32_t side) {
  edge_list grid;
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      if (x + 1 < side) grid.emplace_back(side * y + x, side * y + x + 1);
      if (y + 1 < side) grid.emplace_back(side * y + x, side * y + side + x);
    }
  }
  return grid;
}

edge_list torn_grid_of(std::uint32_t side) {
  std::mt19937 random{3};
  edge_list grid = grid_of(side);
  std::erase_if(grid, [&](const auto&) { return random() % 100 >= 63; });
  return grid;
}

struct shape {
  std::string name;
  std::uint32_t vertices;
  edge_list edges;
};

std::vector<shape> shapes() {
  constexpr std::uint32_t vertices = 3600;
  shape star{"star", vertices, {}}, path{"path", vertices, {}}, caterpillar{"caterpillar", vertices, {}}, clique{"clique", 120, {}};
  for (std::uint32_t v = 1; v < vertices; ++v) {
    star.edges.emplace_back(0, v);
    path.edges.emplace_back(v - 1, v);
    if (v % 3 == 0) caterpillar.edges.emplace_back(v, v - 3);
    caterpillar.edges.emplace_back(v - 1, v);
    if (v > 1) star.edges.emplace_back(v - 1, v);
  }
  for (std::uint32_t u = 0; u < clique.vertices; ++u)
    for (std::uint32_t v = 0; v < u; ++v) clique.edges.emplace_back(u, v);
  return {{"grid", vertices, grid_of(60)},
          star,
          path,
          clique,
          caterpillar,
          {"torn grid", vertices, torn_grid_of(60)},
          {"sparse", vertices, random_edges(vertices, 2000, 1)},
          {"random", vertices, random_edges(vertices, 20000, 1)},
          {"many components", vertices, random_edges(vertices, 1600, 2)}};
}

TEST(dynamic_connectivity, of_random_graphs) {
  for (unsigned seed = 1; seed <= (quick() ? 3u : 20u); ++seed) {
    for (const auto& [vertices, edges] : {std::pair{2u, 3u}, {30u, 25u}, {300u, 400u}, {300u, 3000u}, {2000u, 1900u}})
      ASSERT_NO_FATAL_FAILURE(insert_and_erase(vertices, random_edges(vertices, edges, seed), seed));
  }
}

TEST(dynamic_connectivity, of_grids_stars_paths_and_cliques) {
  for (const auto& [name, vertices, edges] : shapes()) {
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(insert_and_erase(vertices, edges, 5));
  }
}

TEST(dynamic_connectivity, edges_that_leave_together) {
  for (const auto& [name, vertices, edges] : shapes()) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const unsigned batches : {1u, 2u, 5u, 40u}) {
        SCOPED_TRACE(name + ", " + std::to_string(threads) + " threads, " + std::to_string(batches) + " batches");
        ASSERT_NO_FATAL_FAILURE(erase_together(vertices, edges, batches, threads));
      }
    }
  }
}

// Roots are far away, and few edges leave at once.
TEST(dynamic_connectivity, few_edges_that_leave_deep_trees_together) {
  constexpr std::uint32_t side = 300, vertices = side * side;
  std::mt19937 random{1};
  edge_list edges = unique(torn_grid_of(side), random);
  dynamics::dynamic_components graph{host_memory(), 8};
  graph.reserve(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_TRUE(graph.add_vertex(v));
  for (const auto& [u, v] : edges) ASSERT_TRUE(graph.insert(u, v));
  for (int batch = 0; batch < 12; ++batch) {
    graph.forget_batch();
    std::shuffle(edges.begin(), edges.end(), random);
    ASSERT_NO_FATAL_FAILURE(erase_last(graph, edges, 60));
    graph.settle_moves();
  }
  ASSERT_NO_FATAL_FAILURE(expect_components(graph, vertices, edges));
}

TEST(dynamic_connectivity, what_a_batch_did_is_known_until_the_next) {
  dynamics::dynamic_components graph{host_memory()};
  graph.reserve(21);
  for (std::uint32_t v = 0; v < 20; ++v) graph.add_vertex(v);
  for (const std::uint32_t first : {0u, 10u})
    for (std::uint32_t v = first; v < first + (first == 0 ? 6u : 9u); ++v) graph.insert(v, v + 1);
  graph.forget_batch();
  const std::uint32_t smaller = graph.record_of(0), larger = graph.record_of(10), single = graph.record_of(8);
  graph.insert_new(6, 12);   // 7 vertices join 10
  graph.insert_new(8, 15);   // and one more
  graph.insert_new(20, 15);  // one that is new
  graph.settle_moves();
  ASSERT_EQ(graph.moves().size(), 2u) << "vertices of large components do not move";
  EXPECT_EQ(graph.moves()[0].vertex, 8u);
  EXPECT_EQ(graph.touched()[graph.moves()[0].from].record, single);
  EXPECT_EQ(graph.moves()[1].vertex, 20u);
  EXPECT_EQ(graph.moves()[1].from, none);
  std::set<std::uint32_t> joined;
  graph.for_each_joined([&](std::uint32_t v) { EXPECT_TRUE(joined.insert(v).second); });
  EXPECT_EQ(joined, (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
  for (const std::uint32_t v : joined) EXPECT_EQ(graph.record_before(v), smaller);
  EXPECT_EQ(graph.record_before(13), larger);
  for (const std::uint32_t v : {0u, 8u, 13u, 20u}) EXPECT_EQ(graph.record_of(v), larger);
  graph.forget_batch();
  EXPECT_EQ(graph.record_before(0), larger);
  EXPECT_TRUE(graph.moves().empty());
  graph.erase(6, 12);
  graph.settle_moves();
  EXPECT_EQ(graph.moves().size(), 7u);
  graph.for_each_joined([](std::uint32_t) { ADD_FAILURE() << "nothing joined"; });
  graph.forget_batch();
  graph.remove_vertex(7);
  EXPECT_FALSE(graph.present(7));
  EXPECT_EQ(graph.components(), 3u);
}

TEST(dynamic_connectivity, a_component_that_joined_one_that_joined_another_is_met_once) {
  dynamics::dynamic_components graph{host_memory()};
  graph.reserve(12);
  for (const std::uint32_t v : {0u, 2u, 3u, 5u, 6u, 7u, 8u, 9u, 10u}) graph.insert_new(v, v + 1);  // 0-1, 2-4, 5-11
  graph.forget_batch();
  const std::uint32_t first = graph.record_of(0), second = graph.record_of(2);
  graph.insert_new(1, 2);
  graph.insert_new(4, 8);
  graph.settle_moves();
  EXPECT_TRUE(graph.moves().empty());
  std::set<std::uint32_t> joined;
  graph.for_each_joined([&](std::uint32_t v) { EXPECT_TRUE(joined.insert(v).second) << v; });
  EXPECT_EQ(joined, (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
  for (const std::uint32_t v : joined) EXPECT_EQ(graph.record_before(v), v < 2 ? first : second);
}

TEST(dynamic_connectivity, records_that_lead_to_others_are_removed) {
  dynamics::dynamic_components graph{host_memory()};
  graph.reserve(4096);
  for (std::uint32_t v = 0; v < 4096; v += 2) graph.insert_new(v, v + 1);
  for (std::uint32_t step = 2; step < 4096; step *= 2) {
    for (std::uint32_t v = 0; v < 4096; v += 2 * step) graph.insert_new(v, v + step);
    graph.forget_batch();
    ASSERT_EQ(graph.components(), 4096 / step / 2);
    for (std::uint32_t v = 0; v < 4096; ++v) ASSERT_EQ(graph.record_of(v), graph.record_of(v / (2 * step) * (2 * step)));
  }
  EXPECT_LE(graph.records(), 1024u + 4u);
}

TEST(dynamic_connectivity, memory_per_edge_and_vertex_is_bounded) {
  if (sanitized) GTEST_SKIP() << "shadow memory";
  for (const auto& [vertices, count] : {std::pair{20000u, 200000u}, {20000u, 20000u}, {3000u, 500000u}}) {
    tracked_memory memory;
    dynamics::dynamic_components graph{&memory};
    graph.reserve(vertices);
    for (std::uint32_t v = 0; v < vertices; ++v) graph.add_vertex(v);
    for (const auto& [u, v] : random_edges(vertices, count, 3)) {
      if (graph.touched().size() + graph.moves().size() > 1000) graph.forget_batch();
      graph.insert(u, v);
    }
    EXPECT_LE(memory.peak_bytes(), 24 * graph.edges() + 64 * vertices + (2u << 20)) << "a chunk may be begun, and arrays grow by copies";
  }
}

}  // namespace
}  // namespace copse::test
