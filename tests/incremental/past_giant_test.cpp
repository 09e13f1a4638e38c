// Inserts past the giant: graphs large enough that a giant is looked for, in batches of all sizes, against a static solve by another rule;
// vertices that come to be after the giant is known; the recorded forest.
#include <gtest/gtest.h>
#include <copse/copse.hpp>
#include <copse/incremental.hpp>
#include <drivers/incremental/insert_past_giant.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "support/recorded_edges.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;

/// A random graph with a giant, and behind it edges to vertices that it did not name: a tail of 20,000, half of it attached, and loops.
edges giant_with_tail() {
  const graph random = gen::generate_edges("er:n=30000,m=400000");
  const auto view = std::get<coo<id>>(random.shape()).view();
  edges all(view.edges.begin(), view.edges.end());
  for (id v = 30000; v < 50000; ++v) {
    if (v % 4 == 0) all.push_back({v, v});
    if (v % 2 == 0) all.push_back({v, v - 30000});
    if (v % 2 == 1) all.push_back({v, v < 40001 ? v : v - 2});
    all.push_back({v % 30000, v * 7 % 30000});
  }
  return all;
}

void expect_components(const incremental& live, const edges& all, const labelling& expected, const std::string& where) {
  const labelling labels = live.labels();
  ASSERT_EQ(labels.slots(), expected.slots()) << where;
  std::vector<bool> named(expected.slots());
  for (const auto [u, v] : all) named[u] = named[v] = true;
  for (std::uint64_t v = 0; v < expected.slots(); ++v) {
    ASSERT_EQ(labels.label(v), named[v] || labels.present(v) ? expected.label(v) : no_vertex<std::uint64_t>) << "vertex " << v << where;
    ASSERT_TRUE(labels.present(v) || !named[v]) << "vertex " << v << where;
  }
}

TEST(past_giant, batches_of_all_sizes_join_what_a_static_solve_joins) {
  const edges all = giant_with_tail();
  const auto solved = components(graph_view{coo_view<id>{50000, all}}, {.variant = "serial.none.union_find"});
  for (const unsigned threads : {1u, 2u, 7u}) {
    for (const std::size_t batch : {all.size(), std::size_t{60000}, std::size_t{999}}) {
      for (const bool declared : {true, false}) {
        incremental live{{.vertices = declared ? 50000u : 0u}, {.threads = threads}};
        for (std::size_t at = 0; at < all.size(); at += batch) live.insert(std::span{all}.subspan(at, std::min(batch, all.size() - at)));
        const std::string where = ", " + std::to_string(threads) + " threads, batches of " + std::to_string(batch);
        expect_components(live, all, solved.labels, where);
        if (declared) {
          EXPECT_EQ(live.count(), solved.count()) << where;
        }
        EXPECT_TRUE(live.contains(49998)) << "attached";
        EXPECT_TRUE(live.contains(30004)) << "a loop names its vertex";
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(past_giant, the_recorded_forest_is_of_inserted_edges_and_spans_all) {
  edges all = giant_with_tail();
  for (const unsigned threads : {1u, 7u}) {
    incremental live{{.record_forest = true, .vertices = 50000}, {.threads = threads}};
    live.insert(all);
    const graph forest = live.forest();
    EXPECT_EQ(recorded_edges(forest).size(), 50000 - live.count());
    const auto again = components(forest, {.variant = "serial.none.union_find"});
    EXPECT_EQ(again.count(), live.count()) << "as many edges as that, without a cycle";
    auto sorted = all;
    std::ranges::sort(sorted);
    for (const auto e : recorded_edges(forest)) ASSERT_TRUE(std::ranges::binary_search(sorted, e)) << e.u << " " << e.v;
  }
}

TEST(past_giant, a_giant_is_found_and_new_vertices_are_outside) {
  const edges all = giant_with_tail();
  const backend::threads loops{2};
  drivers::growing_forest<backend::threads, id> trees{{}, false, host_memory()};
  drivers::insert_past_giant(loops, trees, std::span<const edge<id>>{all}.first(400000));
  const auto inside = trees.giant().inside();
  ASSERT_NE(inside.words, nullptr);
  std::size_t known = 0;
  for (id v = 0; v < trees.slots(); ++v) known += inside.has(v);
  EXPECT_GT(known, 29000u);
  trees.grow(loops, 60000);
  for (id v = 30000; v < 60000; ++v) ASSERT_FALSE(trees.giant().inside().has(v));
}

TEST(past_giant, a_pass_for_which_too_little_of_a_batch_is_left_waits_for_the_next_batch) {
  const edges all = giant_with_tail();
  const std::span<const edge<id>> list{all};
  const std::size_t n = std::size_t{1} << 16;
  const backend::serial loops;
  drivers::growing_forest<backend::serial, id> trees{{}, false, host_memory()};
  drivers::insert_past_giant(loops, trees, list.first(n + 9000));
  EXPECT_EQ(trees.giant().inside().words, nullptr) << "a pass over 30,000 vertices for 9,000 edges";
  drivers::insert_past_giant(loops, trees, list.subspan(n + 9000, 1));
  EXPECT_NE(trees.giant().inside().words, nullptr) << "what comes next is unknown";
}

TEST(past_giant, no_giant_is_claimed_where_components_are_small) {
  edges pairs;
  for (id v = 0; v < 200000; v += 2) pairs.insert(pairs.end(), 3, {v, v + 1});
  const backend::serial loops;
  drivers::growing_forest<backend::serial, id> trees{{}, false, host_memory()};
  drivers::insert_past_giant(loops, trees, std::span<const edge<id>>{pairs});
  EXPECT_EQ(trees.giant().inside().words, nullptr);
  EXPECT_EQ(trees.links(), 100000u);
}

}  // namespace
}  // namespace copse::test
