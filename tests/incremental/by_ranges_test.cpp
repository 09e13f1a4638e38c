// Lists and inserts united by ranges (fast/unite_by_ranges.hpp): large enough that they are by themselves; stopped in the middle; vertices
// that are not declared; memory that is refused.
#include <gtest/gtest.h>
#include <copse/copse.hpp>
#include <copse/incremental.hpp>
#include <drivers/incremental/insert_past_giant.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "support/impatient.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;
using forest = drivers::growing_forest<backend::threads, id>;

struct edge_list {
  id vertices;
  edges list;
};

/// Of a generator spec, in random order.
edge_list shuffled(std::string_view spec) {
  const graph drawn = gen::generate_edges(spec);
  const auto view = std::get<coo<id>>(drawn.shape()).view();
  edge_list result{view.vertex_count, {view.edges.begin(), view.edges.end()}};
  std::ranges::shuffle(result.list, std::mt19937{5});
  return result;
}

forest any_ranges() { return forest{{}, false, host_memory(), {.any_ranges = true}}; }

void expect_right_by_ranges(std::string_view spec) {
  constexpr unsigned threads = 8;
  const auto stream = shuffled(spec);
  const std::span<const edge<id>> all{stream.list};
  ASSERT_TRUE(fast::suits_ranges(threads, all, all.size() / 4, stream.vertices, 0));
  const graph_view list{coo_view<id>{stream.vertices, all}};
  const auto expected = components(list, {.variant = "serial.none.union_find"});
  const auto named = [&] {
    std::vector<bool> is(stream.vertices);
    for (const auto [u, v] : all) is[u] = is[v] = true;
    return static_cast<std::uint64_t>(std::ranges::count(is, true));
  }();
  EXPECT_EQ(checksum(components(list, {}, {.threads = threads}).labels), checksum(expected.labels));
  for (const std::size_t batch : {all.size(), std::size_t{400'000}}) {
    for (const bool declared : {true, false}) {
      incremental live{{.vertices = declared ? stream.vertices : 0}, {.threads = threads}};
      for (std::size_t at = 0; at < all.size(); at += batch) live.insert(all.subspan(at, std::min(batch, all.size() - at)));
      EXPECT_EQ(live.count(), expected.count() - (declared ? 0 : stream.vertices - named));
      if (declared) {
        EXPECT_EQ(checksum(live.labels()), checksum(expected.labels));
      }
    }
  }
}

TEST(by_ranges, lists_and_inserts_of_a_large_graph) { expect_right_by_ranges("er:n=600000,m=1200000"); }

TEST(by_ranges, cliques_whose_ids_are_shuffled) { expect_right_by_ranges("cliques:n=400000,size=8,shuffle=1"); }

TEST(by_ranges, not_where_it_does_not_pay) {
  edges in_order, star, random = shuffled("er:n=600000,m=1200000").list;
  for (id v = 1; v < 600'000; ++v) in_order.push_back({v - 1, v});
  for (id v = 0; v < 600'000; ++v) star.push_back({599'999, v * 7 % 599'999});
  const auto suits = [](unsigned threads, std::span<const edge<id>> list) {
    return fast::suits_ranges(threads, list, list.size(), 600'000, 0);
  };
  EXPECT_TRUE(suits(4, random));
  EXPECT_FALSE(suits(2, random));
  EXPECT_FALSE(suits(4, std::span{random}.first(100'000)));
  EXPECT_FALSE(suits(4, in_order));
  EXPECT_FALSE(suits(4, shuffled("path:n=600000").list)) << "a chain of consecutive vertices";
  EXPECT_FALSE(suits(4, shuffled("rmat:scale=19,edges=4,a=.57,b=.19,c=.19,shuffle=1").list)) << "few vertices have most edges";
  EXPECT_FALSE(suits(4, star)) << "one vertex is the larger end of every edge";
}

// A root that is linked to a child of v goes under v. If v has that child by a move alone, and no edge that names v links anything any
// more, nothing marks v: so inserts are not by ranges where vertices may not exist. All of it on one thread: first x, y and z are a chain;
// then x moves to v, the chain's root goes under v by an edge of x, and the edge that went down from the move finds nothing to link.
TEST(by_ranges, who_is_named_exists) {
  constexpr id n = 8192, far = 128, v = 10 * far, y = 12 * far, z = 13 * far, x = 14 * far, t = 30 * far;
  const backend::threads loops{1};
  forest trees = any_ranges();
  trees.grow(loops, n);
  edges first{{x, z}, {z, y}, {t, x}}, second{{t, y}};
  for (id u = 5000; u < 6023; ++u) {
    first.push_back({u, 1});
    second.push_back({u, 0});  // a block of them, which go down to the lowest range: so there is one round
  }
  second.push_back({x, v});
  drivers::insert_past_giant(loops, trees, std::span<const edge<id>>{first});
  drivers::insert_past_giant(loops, trees, std::span<const edge<id>>{second});
  EXPECT_EQ(trees.vertices(), 1023 + 2 + 5);
  EXPECT_EQ(trees.vertices() - trees.links(), 2);
}

TEST(by_ranges, who_is_stopped_has_lost_no_component) {
  const auto stream = shuffled("er:n=20000,m=40000");
  const std::span<const edge<id>> all{stream.list}, before = all.first(9000), batch = all.subspan(9000);
  const auto expected = components(graph_view{coo_view<id>{stream.vertices, all}}, {.variant = "serial.none.union_find"});
  unsigned stopped = 0;
  for (std::uint64_t patience = 0; patience < 400; patience += 7) {
    forest trees = any_ranges();
    trees.grow(backend::threads{7}, stream.vertices);
    trees.declare(0);
    drivers::insert_past_giant(backend::threads{7}, trees, before);
    impatient watcher{patience};
    try {
      drivers::insert_past_giant(backend::threads{7, &watcher}, trees, batch);
    } catch (const cancelled&) {
      ++stopped;
      const auto labels = trees.labels(backend::threads{7});
      for (const auto [u, w] : before) ASSERT_EQ(labels[u], labels[w]) << "patience " << patience;
      drivers::insert_past_giant(backend::threads{7}, trees, batch);
    }
    EXPECT_EQ(trees.vertices() - trees.links(), expected.count()) << "patience " << patience;
  }
  EXPECT_GT(stopped, 10U);
}

TEST(by_ranges, without_memory_for_that_edges_are_united_all_the_same) {
  const auto stream = shuffled("er:n=600000,m=1200000");
  const graph_view list{coo_view<id>{stream.vertices, stream.list}};
  const std::uint64_t labels = stream.vertices * sizeof(id), bits = stream.vertices / 8;
  tracked_memory enough, little{labels + bits + 4096};
  const auto expected = checksum(components(list, {}, {.threads = 7, .memory = &enough}).labels);
  EXPECT_GT(enough.peak_bytes(), little.limit_bytes());
  EXPECT_EQ(checksum(components(list, {}, {.threads = 7, .memory = &little}).labels), expected);
}

}  // namespace
}  // namespace copse::test
