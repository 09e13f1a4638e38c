// Batches, ids that stay, events, windows and reverts, by example.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "support/thrown.hpp"

namespace copse::test {
namespace {

using edges = std::vector<dynamic_edge<std::uint32_t>>;
using events = std::vector<component_event>;
using changes = std::vector<component_change<std::uint32_t>>;
using enum component_event_kind;

edges path(std::uint32_t first, std::uint32_t last) {
  edges list;
  for (std::uint32_t v = first; v < last; ++v) list.push_back({.u = v, .v = v + 1});
  return list;
}

TEST(dynamic, edges_arrive_and_leave) {
  dynamic graph;
  EXPECT_EQ(graph.insert(edges{{.u = 7, .v = 3}, {.u = 3, .v = 7}, {.u = 5, .v = 5}}).inserted, 2u);
  EXPECT_EQ(graph.vertices(), 3u);
  EXPECT_EQ(graph.count(), 2u);
  EXPECT_TRUE(graph.connected(3, 7));
  EXPECT_FALSE(graph.connected(3, 5));
  EXPECT_FALSE(graph.connected(4, 4)) << "a vertex that does not exist";
  EXPECT_TRUE(graph.contains(5, 5));
  EXPECT_EQ(graph.size_of(7), 2u);
  EXPECT_EQ(graph.size_of(100), 0u);
  EXPECT_EQ(graph.component_of(4), no_component);
  EXPECT_EQ(graph.label(7), 3u);
  EXPECT_EQ(graph.label(4), std::nullopt);
  EXPECT_EQ(graph.erase(3, 7).erased, 1u);
  EXPECT_EQ(graph.erase(3, 7).erased, 0u);
  EXPECT_EQ(graph.vertices(), 3u) << "ends stay, each alone";
  EXPECT_FALSE(graph.connected(3, 7));
  EXPECT_EQ(graph.members(7), std::vector<std::uint32_t>{7});
  EXPECT_EQ(graph.last_batch(), 3u);
}

TEST(dynamic, the_larger_part_keeps_the_id) {
  dynamic graph;
  graph.insert(path(0, 9));
  EXPECT_EQ(graph.events(1), (events{{created, no_component, 0, 10}}));
  graph.erase(2, 3);
  EXPECT_EQ(graph.events(2), (events{{created, no_component, 1, 3}, {split, 0, 1, 3}}));
  EXPECT_EQ(graph.component_of(9), 0u);
  EXPECT_EQ(graph.changes(1), (changes{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}}));
  graph.insert(0, 9);
  EXPECT_EQ(graph.events(3), (events{{merged, 1, 0, 3}}));
}

TEST(dynamic, ties_go_to_the_smallest_vertex_and_the_oldest_id) {
  dynamic graph;
  graph.insert(path(0, 3));
  graph.erase(1, 2);
  EXPECT_EQ(graph.component_of(1), 0u) << "two and two: the part with vertex 0 keeps the id";
  EXPECT_EQ(graph.component_of(2), 1u);
  graph.insert(1, 2);
  EXPECT_EQ(graph.component_of(2), 0u) << "two and two: the older id";
}

// The next two tests would take a minute if each part looked at all vertices of its component.
TEST(dynamic, a_star_may_fall_into_equal_parts) {
  constexpr std::uint32_t leaves = 300'000;
  dynamic graph;
  edges star;
  for (std::uint32_t v = 0; v < leaves; ++v) star.push_back({.u = leaves, .v = v});
  graph.insert(star);
  EXPECT_EQ(graph.erase(star).erased, leaves);
  const events found = graph.events(2);
  ASSERT_EQ(found.size(), 2 * leaves);
  EXPECT_EQ(graph.component_of(0), 0u) << "parts of one vertex each: the smallest one keeps the id";
  EXPECT_EQ(found.front(), (component_event{created, no_component, 1, 1}));
  EXPECT_EQ(found.back(), (component_event{split, 0, leaves, 1}));
}

TEST(dynamic, many_components_may_give_halves_to_a_large_one) {
  constexpr std::uint32_t large = 300'000, small = 20'000;
  dynamic graph;
  edges list = path(0, large - 1), cut, joining;
  for (std::uint32_t i = 0; i < small; ++i) {
    const std::uint32_t a = large + 4 * i;
    for (const auto& edge : path(a, a + 3)) list.push_back(edge);
    cut.push_back({.u = a + 1, .v = a + 2});
    joining.push_back({.u = 7 * i, .v = a + (i % 2 == 0 ? 0 : 3)});
  }
  graph.insert(list);
  std::vector<dynamic_operation<std::uint32_t>> operations;
  for (const auto& edge : cut) operations.push_back({.kind = dynamic_operation_kind::erase, .edge = edge});
  for (const auto& edge : joining) operations.push_back({.kind = dynamic_operation_kind::insert, .edge = edge});
  graph.apply(operations);
  std::array<std::uint32_t, 5> counts{};
  for (const component_event& event : graph.events(2)) ++counts[static_cast<std::size_t>(event.kind)];
  // Each half has two vertices, so the half with the smaller ones decides: it left for the large component where i is even.
  EXPECT_EQ(counts[static_cast<std::size_t>(created)], small / 2);
  EXPECT_EQ(counts[static_cast<std::size_t>(merged)], small / 2);
  EXPECT_EQ(counts[static_cast<std::size_t>(split)], small);
  EXPECT_EQ(graph.component_of(large + 4), graph.component_of(large + 5));
  EXPECT_EQ(graph.component_of(large + 4), 2u) << "where i is odd, the smaller half keeps the id";
}

TEST(dynamic, nothing_transient_is_reported) {
  dynamic graph;
  graph.insert(path(0, 5));
  using op = dynamic_operation<std::uint32_t>;
  constexpr auto insert = dynamic_operation_kind::insert, erase = dynamic_operation_kind::erase,
                 forget = dynamic_operation_kind::erase_vertex;
  graph.apply(std::vector<op>{
      {erase, {.u = 2, .v = 3}}, {insert, {.u = 8, .v = 9}}, {insert, {.u = 2, .v = 3}}, {forget, {.u = 8}}, {forget, {.u = 9}}});
  EXPECT_TRUE(graph.events(2).empty());
  EXPECT_TRUE(graph.changes(1).empty());
  EXPECT_EQ(graph.vertices(), 6u);
}

TEST(dynamic, a_component_may_vanish_and_an_erased_vertex_is_new_when_it_comes_again) {
  dynamic graph;
  graph.insert(edges{{.u = 1, .v = 2}, {.u = 5, .v = 6}});
  const dynamic_batch done = graph.erase_vertices(std::array{1u, 2u, 77u});
  EXPECT_EQ(done.erased, 1u);
  EXPECT_EQ(graph.events(2), (events{{vanished, 0, no_component, 2}}));
  EXPECT_EQ(graph.changes(1), (changes{{1, 0, no_component}, {2, 0, no_component}}));
  EXPECT_FALSE(graph.contains(1));
  graph.insert(1, 1);
  EXPECT_EQ(graph.component_of(1), 2u);
}

TEST(dynamic, weights_times_and_keys_are_carried) {
  dynamic graph{{.weights = true, .times = true, .keys = true}};
  graph.insert(edges{{1, 2, .5, 10, 7}, {2, 1, .25, 4, 7}, {1, 2, 3., 5, 8}});
  EXPECT_EQ(graph.edge_count(), 2u);
  for (const auto& e : graph.edges()) {
    EXPECT_EQ(e.weight, e.key == 7 ? .25 : 3.) << "the last weight";
    EXPECT_EQ(e.time, e.key == 7 ? 10 : 5) << "the later time";
  }
  EXPECT_EQ(graph.erase_keys(edges{{.u = 1, .v = 2, .key = 8}}).erased, 1u);
  EXPECT_TRUE(graph.connected(1, 2));
  graph.insert(edges{{1, 2, 1., 1, 9}});
  EXPECT_EQ(graph.erase(2, 1).erased, 2u) << "a pair is erased with all its keys";
  EXPECT_FALSE(graph.connected(1, 2));
  dynamic without;
  EXPECT_NE(thrown<usage_error>([&] { without.erase_keys(edges{{.u = 1, .v = 2}}); }), "");
  EXPECT_NE(thrown<usage_error>([&] { without.expire(3); }), "");
}

TEST(dynamic, a_window_moves) {
  for (const bool keeps : {false, true}) {
    dynamic graph{{.times = true, .keep_vertices = keeps}};
    graph.insert(edges{{1, 2, 1, 10}, {2, 3, 1, 20}, {3, 4, 1, 30}, {1, 2, 1, 25}});
    EXPECT_EQ(graph.expire(21).erased, 1u) << "2-3; 1-2 came again";
    EXPECT_EQ(graph.vertices(), 4u);
    EXPECT_FALSE(graph.connected(2, 3));
    EXPECT_EQ(graph.insert(edges{{2, 3, 1, 20}, {2, 3, 1, 21}}).dropped, 1u) << "older than the last cut-off";
    EXPECT_TRUE(graph.connected(1, 4));
    EXPECT_EQ(graph.expire(28).erased, 2u);
    EXPECT_EQ(graph.vertices(), keeps ? 4u : 2u);
    EXPECT_EQ(thrown<usage_error>([&] { graph.revert(4); }), "batch 4 cannot be reverted: edges left a window in it");
  }
}

TEST(dynamic, a_count_window_has_the_last_inserts) {
  dynamic graph{{.count_window = 3}};
  graph.insert(path(0, 4));
  EXPECT_EQ(graph.edge_count(), 3u);
  EXPECT_FALSE(graph.contains(0));
  graph.insert(1, 2);
  EXPECT_EQ(graph.edge_count(), 3u) << "its place in the window is new, and nothing is too old";
  graph.insert(8, 9);
  EXPECT_FALSE(graph.contains(2, 3));
  EXPECT_TRUE(graph.contains(1, 2));
}

TEST(dynamic, the_last_batch_is_taken_back_exactly) {
  basic_dynamic<std::string_view> graph{{.weights = true, .history = 10}};
  using named = dynamic_edge<std::string_view>;
  graph.insert(std::vector<named>{{"a", "b", 2.}, {"c", "d", 3.}});
  graph.insert(std::vector<named>{{"b", "c", 4.}, {"a", "b", 9.}, {"e", "a", 1.}});
  EXPECT_EQ(graph.events(2), (events{{merged, 1, 0, 2}}));
  graph.revert(2);
  EXPECT_EQ(graph.events(3), (events{{revived, no_component, 1, 2}, {split, 0, 1, 2}}));
  EXPECT_EQ(graph.component_of("c"), 1u);
  EXPECT_FALSE(graph.contains("e"));
  for (const auto& e : graph.edges()) EXPECT_EQ(e.weight, e.u == "a" ? 2. : 3.);
  EXPECT_TRUE(graph.changes(1).empty());
  graph.revert(3);
  EXPECT_TRUE(graph.connected("e", "d"));
}

TEST(dynamic, an_older_batch_is_taken_back_where_nothing_touched_it_since) {
  dynamic graph{{.history = 10}};
  graph.insert(path(0, 3));
  graph.insert(edges{{.u = 10, .v = 11}, {.u = 3, .v = 10}});
  graph.insert(10, 20);
  EXPECT_EQ(graph.conflicts(2).size(), 1u);
  EXPECT_TRUE(graph.conflicts(2)[0].is_vertex);
  EXPECT_EQ(graph.conflicts(2)[0].u, 10u);
  EXPECT_EQ(thrown<usage_error>([&] { graph.revert(2); }),
            "batch 2 cannot be reverted: later batches touched 1 of its changes; conflicts() lists them, and revert_conflicts::skip leaves "
            "them as they are");
  const dynamic_batch done = graph.revert(2, revert_conflicts::skip);
  EXPECT_EQ(done.skipped, 1u);
  EXPECT_EQ(done.erased, 2u);
  EXPECT_TRUE(graph.connected(10, 20));
  EXPECT_FALSE(graph.contains(11));
  EXPECT_FALSE(graph.connected(3, 10));
}

TEST(dynamic, only_as_much_history_is_kept_as_asked_for) {
  dynamic graph{{.history = 2}};
  for (std::uint32_t v = 0; v < 5; ++v) graph.insert(v, v + 1);
  EXPECT_EQ(graph.oldest_batch(), 4u);
  EXPECT_EQ(
      thrown<usage_error>([&] { static_cast<void>(graph.events(3)); }),
      "batch 3 is not in the history of the dynamic graph: the last is 5, and the oldest kept is 4; ask for more with the option history");
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(graph.changes(2)); }), "");
  EXPECT_EQ(graph.changes(3).size(), 2u);
  EXPECT_TRUE(graph.changes(5).empty());
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(graph.changes(6)); }), "");
  dynamic without{{.history = 0}};
  without.insert(1, 2);
  EXPECT_EQ(without.component_of(2), 0u) << "ids need no history";
  EXPECT_NE(thrown<usage_error>([&] { without.revert(1); }), "");
}

TEST(dynamic, ids_that_cannot_be_are_refused) {
  dynamic graph;
  EXPECT_NE(thrown<input_error>([&] { graph.insert(1, 0xFFFFFFFFu); }), "");
  EXPECT_EQ(graph.last_batch(), 0u) << "nothing of the batch took effect";
  EXPECT_FALSE(graph.contains(0xFFFFFFFFu));
  EXPECT_EQ(graph.erase(1, 0xFFFFFFFFu).erased, 0u);
}

}  // namespace
}  // namespace copse::test
