// Reading while batches go in: every snapshot is that of one batch, whole, and stays as it is.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <array>
#include <atomic>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/sweep_length.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

TEST(dynamic_snapshots, stay_as_they_are_while_the_graph_changes_and_goes) {
  std::optional<basic_dynamic<std::string_view>> graph{dynamic_options{.snapshots = true}};
  const auto none_yet = graph->snapshot();
  graph->insert("a", "b");
  const auto first = graph->snapshot();
  graph->insert("b", "c");
  const auto second = graph->snapshot();
  graph->erase("a", "b");
  const auto third = graph->snapshot();
  graph->erase_vertices(std::array<std::string_view, 1>{"c"});
  const auto last = graph->snapshot();
  graph.reset();
  EXPECT_EQ(none_yet.vertices(), 0u);
  EXPECT_FALSE(none_yet.connected("a", "a"));
  EXPECT_EQ(first.batch(), 1u);
  EXPECT_TRUE(first.connected("a", "b"));
  EXPECT_EQ(first.component_of("c"), no_component);
  EXPECT_EQ(second.size_of("a"), 3u);
  EXPECT_EQ(second.count(), 1u);
  EXPECT_FALSE(third.connected("a", "c"));
  EXPECT_EQ(third.count(), 2u);
  EXPECT_EQ(third.size_of("c"), 2u);
  EXPECT_EQ(last.vertices(), 2u);
  EXPECT_EQ(last.size_of("c"), 0u);
  dynamic without;
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(without.snapshot()); }), "");
}

// Many batches on vertices of several leaves: a snapshot of each equals what was asked of the graph then.
TEST(dynamic_snapshots, of_each_batch_say_what_the_graph_said) {
  std::mt19937 random{4};
  dynamic graph{{.snapshots = true}};
  constexpr std::uint32_t vertices = 3000;
  std::vector<dynamic_snapshot<std::uint32_t>> taken;
  std::vector<std::vector<std::uint64_t>> expected;
  for (int batch = 0; batch < 30; ++batch) {
    std::vector<dynamic_operation<std::uint32_t>> operations;
    for (int i = 0; i < 300; ++i) {
      const auto kind = random() % 3 == 0 ? dynamic_operation_kind::erase_vertex : dynamic_operation_kind::insert;
      operations.push_back(
          {kind, {.u = static_cast<std::uint32_t>(random() % vertices), .v = static_cast<std::uint32_t>(random() % vertices)}});
    }
    graph.apply(operations);
    if (batch % 3 == 1) continue;  // changes in place
    taken.push_back(graph.snapshot());
    expected.emplace_back();
    for (std::uint32_t v = 0; v < vertices; ++v) expected.back().push_back(graph.component_of(v));
    EXPECT_EQ(taken.back().vertices(), graph.vertices());
    EXPECT_EQ(taken.back().count(), graph.count());
    for (std::uint32_t v = 0; v < vertices; v += 17) ASSERT_EQ(taken.back().size_of(v), graph.size_of(v));
  }
  for (std::size_t i = 0; i < taken.size(); ++i)
    for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_EQ(taken[i].component_of(v), expected[i][v]);
}

// After batch b a path of 2000 vertices is whole if b is odd, and cut in the middle if it is even.
template <class Id, class NameOf>
void read_beside_a_writer(NameOf name) {
  constexpr unsigned length = 2000, middle = 700;
  std::vector<Id> names;
  for (unsigned v = 0; v < length; ++v) names.push_back(name(v));
  basic_dynamic<Id> graph{{.snapshots = true}};
  std::vector<dynamic_edge<Id>> path;
  for (unsigned v = 1; v < length; ++v) path.push_back({.u = names[v - 1], .v = names[v]});
  graph.insert(path);
  std::atomic<bool> is_over{false};
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 4; ++reader) {
    readers.emplace_back([&] {
      std::uint64_t last = 0;
      do {
        const auto seen = graph.snapshot();
        const bool whole = seen.batch() % 2 == 1;
        wrong += seen.batch() < last;
        last = seen.batch();
        wrong += seen.vertices() != length;
        wrong += seen.count() != (whole ? 1 : 2);
        wrong += seen.connected(names.front(), names.back()) != whole;
        wrong += seen.size_of(names[middle - 1]) != (whole ? length : middle);
        wrong += seen.size_of(names[middle]) != (whole ? length : length - middle);
      } while (!is_over);
    });
  }
  for (unsigned batch = 0; batch < (quick() ? 200u : 2000u); ++batch) {
    if (batch % 2 == 0) {
      graph.erase(names[middle - 1], names[middle]);
    } else {
      graph.insert(names[middle - 1], names[middle]);
    }
  }
  is_over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0u);
}

TEST(dynamic_snapshots, are_taken_beside_a_writer) {
  read_beside_a_writer<std::uint32_t>([](unsigned v) { return v; });
}
TEST(dynamic_snapshots, of_strings_are_taken_beside_a_writer) {
  std::vector<std::string> names(2000);
  read_beside_a_writer<std::string_view>([&](unsigned v) -> std::string_view { return names[v] = "vertex " + std::to_string(v); });
}

}  // namespace
}  // namespace copse::test
