// Whole states in folders: what is opened from one is what was there, the past reaches back to the horizon, and purged names are nowhere.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <dynamic/batch_store.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dynamic/stored.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using sparse = basic_dynamic<std::uint64_t>;
using strings = basic_dynamic<std::string_view>;

std::uint64_t newest_state(const std::filesystem::path& folder) {
  return dynamics::batch_store{folder, dynamics::database_access::read, durability::full}.newest_state(UINT64_MAX);
}

sparse twin_after(const dynamic_options& options, std::uint64_t batch) {
  sparse twin{options};
  while (twin.last_batch() < batch) twin.apply(numbered_batch(1, twin.last_batch() + 1));
  return twin;
}

TEST(dynamic_states, the_past_reaches_back_to_the_horizon_which_moves_with_the_history) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.weights = true, .history = 3};
  sparse graph = sparse::open(folder / "g", options);
  for (std::uint64_t batch = 1; batch <= 20; ++batch) {
    graph.apply(numbered_batch(1, batch));
    if (batch % 4 == 0) graph.compact();
  }
  EXPECT_EQ(newest_state(folder / "g"), 20u);
  for (std::uint64_t batch = 16; batch <= 20; ++batch) {
    const sparse past = sparse::open(folder / "g", {}, {.read_only = true, .until = batch});
    const sparse twin = twin_after({.weights = true, .history = batch == 20 ? 3 : batch - 16}, batch);
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(past, twin)) << batch;
  }
  const std::string refusal =
      thrown<usage_error>([&] { static_cast<void>(sparse::open(folder / "g", {}, {.read_only = true, .until = 15})); });
  EXPECT_NE(refusal.find("batch 15 is before"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("is 16"), std::string::npos) << refusal;
}

TEST(dynamic_states, a_history_of_all_batches_keeps_all) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.history = UINT64_MAX};
  {
    sparse graph = sparse::open(folder / "g", options);
    for (std::uint64_t batch = 1; batch <= 12; ++batch) {
      graph.apply(numbered_batch(1, batch));
      if (batch % 5 == 0) graph.compact();
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin_after(options, 12)));
  }
  for (std::uint64_t batch = 0; batch <= 12; ++batch)
    ASSERT_NO_FATAL_FAILURE(
        expect_same_graph(sparse::open(folder / "g", {}, {.read_only = true, .until = batch}), twin_after(options, batch)));
  sparse again = sparse::open(folder / "g"), twin = twin_after(options, 12);
  for (const std::uint64_t undone : {2u, 7u, 12u, 15u}) {
    ASSERT_EQ(again.revert(undone, revert_conflicts::skip).skipped, twin.revert(undone, revert_conflicts::skip).skipped);
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(again, twin));
  }
}

TEST(dynamic_states, are_written_by_themselves_as_batches_come) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.history = 2};
  dynamic twin{options};
  {
    dynamic graph = dynamic::open(folder / "g", options, {.durable = durability::relaxed});
    for (std::uint32_t batch = 0; batch < 140; ++batch) {
      std::vector<dynamic_edge<std::uint32_t>> edges(5000);
      for (std::uint32_t i = 0; i < edges.size(); ++i)
        edges[i] = {.u = (batch * 5000 + i) * 7919u % 100'003u, .v = (batch * 5000 + i) * 104'729u % 100'019u};
      graph.insert(edges);
      twin.insert(edges);
    }
  }
  const std::uint64_t newest = newest_state(folder / "g");
  EXPECT_GT(newest, 60u);
  EXPECT_LT(newest, 140u);
  EXPECT_NE(
      thrown<usage_error>([&] { static_cast<void>(dynamic::open(folder / "g", {}, {.read_only = true, .until = 3})); }).find("oldest"),
      std::string::npos);
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(dynamic::open(folder / "g"), twin));
}

TEST(dynamic_states, of_many_neighbours_are_read_in_parts) {
  NEEDS_STORE;
  const temporary_folder folder;
  dynamic twin;
  std::vector<dynamic_edge<std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < 1'100'000; ++i) edges.push_back({.u = i * 7919u % 9001u, .v = i / 100u});
  twin.insert(edges);
  {
    dynamic graph = dynamic::open(folder / "g", {}, {.durable = durability::relaxed});
    graph.insert(edges);
    graph.compact();
  }
  for (const unsigned threads : {1u, 3u}) {
    dynamic again = dynamic::open(folder / "g", {}, {.read_only = true}, {.threads = threads});
    ASSERT_EQ(again.edge_count(), twin.edge_count());
    ASSERT_EQ(again.labels(), twin.labels());
    for (const auto& [u, v, weight, time, key] : edges) ASSERT_TRUE(again.contains(u, v));
  }
}

TEST(dynamic_states, a_reader_goes_on_where_the_writer_has_dropped_batches_and_purged_vertices) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.weights = true, .history = 2, .snapshots = true};
  sparse graph = sparse::open(folder / "g", options), twin{options};
  sparse reader = sparse::open(folder / "g", {}, {.read_only = true});
  const auto apply = [&](std::uint64_t batch) {
    graph.apply(numbered_batch(1, batch));
    twin.apply(numbered_batch(1, batch));
  };
  for (std::uint64_t batch = 1; batch <= 12; ++batch) {
    apply(batch);
    if (batch % 3 == 0) graph.compact();
  }
  EXPECT_EQ(reader.last_batch(), 0u);
  EXPECT_EQ(reader.refresh(), 12u);
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(reader, twin));
  const auto before = graph.snapshot();
  const std::vector<std::uint64_t> gone{twin.edges().front().u};
  const std::uint64_t size = graph.size_of(gone.front());
  graph.purge_vertices(gone);
  twin.purge_vertices(gone);
  EXPECT_EQ(before.size_of(gone.front()), size);
  EXPECT_EQ(graph.snapshot().size_of(gone.front()), 0u);
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(reader.events(12)); }).find("refresh() first"), std::string::npos);
  apply(14);
  EXPECT_EQ(reader.refresh(), 14u);
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(reader, twin));
  for (const auto& [v, label] : graph.labels()) EXPECT_EQ(graph.snapshot().component_of(v), graph.component_of(v));
}

TEST(dynamic_states, a_damaged_one_is_refused_with_its_batch) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.weights = true, .history = 3};
  {
    sparse graph = sparse::open(folder / "g", options);
    for (std::uint64_t batch = 1; batch <= 6; ++batch) {
      graph.apply(numbered_batch(1, batch));
      if (batch == 4) graph.compact();
    }
  }
  damage_outcomes names, states;
  const sparse twin = twin_after(options, 6);
  ASSERT_NO_FATAL_FAILURE(damage_bytes(folder / "g/batches.sqlite", 19, 97, twin, "", names));
  EXPECT_GT(names.refused, 0u);
  ASSERT_NO_FATAL_FAILURE(damage_bytes(folder / "g/state.4.sqlite", 19, 97, twin, "the state as of batch 4 damaged", states));
  EXPECT_GT(states.refused, 0u);
  EXPECT_GT(states.harmless, 0u);
  EXPECT_GT(states.named, 0u);
}

// ---- purging

std::string all_bytes(const std::filesystem::path& folder) {
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) bytes += bytes_of_file(entry.path());
  return bytes;
}

TEST(dynamic_states, purged_strings_are_in_no_byte_of_the_folder) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.weights = true, .history = UINT64_MAX};
  strings graph = strings::open(folder / "g", options), twin{options};
  const std::string large(20000, 'x');
  std::vector<std::string> names;
  for (int i = 0; i < 400; ++i)
    names.push_back("person number " + std::to_string(i) + (i % 50 == 7 ? large + std::to_string(i) : "") + ".");
  for (int batch = 0; batch < 12; ++batch) {
    std::vector<dynamic_edge<std::string_view>> edges;
    for (std::size_t i = 0; i < names.size(); ++i)
      edges.push_back({.u = names[i], .v = names[(i * 7 + static_cast<std::size_t>(batch)) % names.size()], .weight = batch * .125});
    graph.insert(edges);
    twin.insert(edges);
    if (batch % 5 == 2) graph.compact();
  }
  const strings reader = strings::open(folder / "g", {}, {.read_only = true});
  const std::vector<std::string_view> before{names[3], names[57]}, gone{names[7], names[111], names[399], "one that never was"};
  for (strings* one : {&graph, &twin}) one->erase_vertices(before);
  // The database cuts long strings where a page ends.
  const auto is_there = [&folder](const std::string& name) {
    const std::string bytes = all_bytes(folder / "g");
    return bytes.find(name.substr(0, 40)) != std::string::npos ||
           bytes.find(name.substr(name.size() - std::min<std::size_t>(name.size(), 2000))) != std::string::npos;
  };
  for (const std::size_t i : {3, 57, 7, 111, 399}) EXPECT_TRUE(is_there(names[i])) << i;
  EXPECT_EQ(graph.purge_vertices(gone).number, 14u);
  twin.purge_vertices(gone);
  for (const std::size_t i : {3, 57, 7, 111, 399}) EXPECT_FALSE(is_there(names[i])) << i;
  EXPECT_TRUE(is_there(names[4]) && is_there(names[107]));
  EXPECT_EQ(graph.oldest_batch(), 15u);
  EXPECT_NE(
      thrown<usage_error>([&] { static_cast<void>(strings::open(folder / "g", {}, {.read_only = true, .until = 13})); }).find("is 14"),
      std::string::npos);
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin));
  for (strings* one : {&graph, &twin}) {
    one->insert(names[7], names[8]);
    one->erase(names[4], names[28]);
  }
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin));
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(strings::open(folder / "g", {}, {.read_only = true}), twin));
}

TEST(dynamic_states, purged_integers_are_in_no_byte_of_the_folder) {
  NEEDS_STORE;
  const temporary_folder folder;
  sparse graph = sparse::open(folder / "g", dynamic_options{.keys = true, .history = 50});
  const auto name = [](std::uint64_t v) { return (v + 1) * 0x9E3779B97F4A7C15u; };
  for (std::uint64_t batch = 0; batch < 20; ++batch) {
    std::vector<dynamic_edge<std::uint64_t>> edges;
    for (std::uint64_t v = 0; v < 300; ++v) edges.push_back({.u = name(v), .v = name(v * 11 + batch), .key = batch});
    graph.insert(edges);
    if (batch == 10) graph.compact();
  }
  const auto is_there = [&](std::uint64_t v) {
    const std::uint64_t id = name(v);
    return all_bytes(folder / "g").find({reinterpret_cast<const char*>(&id), sizeof id}) != std::string::npos;
  };
  EXPECT_TRUE(is_there(5) && is_there(299) && is_there(6));
  graph.purge_vertices(std::vector{name(5), name(299)});
  EXPECT_FALSE(is_there(5) || is_there(299));
  EXPECT_TRUE(is_there(6));
}

TEST(dynamic_states, memory_forgets_purged_vertices_too) {
  strings graph{{.history = 5}}, twin{{.history = 5}};
  graph.insert("a", "b");
  graph.insert("b", "c");
  twin.insert("a", "b");
  twin.insert("b", "c");
  const auto old_id = graph.component_of("a");
  EXPECT_EQ(graph.purge_vertices(std::vector<std::string_view>{"b"}).erased, 2u);
  twin.erase_vertices(std::vector<std::string_view>{"b"});
  EXPECT_EQ(graph.labels(), twin.labels());
  EXPECT_EQ(graph.component_of("a"), old_id);
  EXPECT_EQ(graph.oldest_batch(), 4u);
  EXPECT_NE(thrown<usage_error>([&] { graph.revert(3); }).find("not in the history"), std::string::npos);
  for (strings* one : {&graph, &twin}) one->insert("b", "c");
  EXPECT_EQ(graph.component_of("b"), twin.component_of("b"));
  EXPECT_EQ(graph.events(4), twin.events(4));
}

TEST(dynamic_states, only_a_writer_of_a_folder_writes_them) {
  sparse graph;
  EXPECT_NE(thrown<usage_error>([&] { graph.compact(); }).find("in a folder"), std::string::npos);
  NEEDS_STORE;
  const temporary_folder folder;
  sparse writer = sparse::open(folder / "g");
  writer.compact();
  writer.insert(1, 2);
  sparse reader = sparse::open(folder / "g", {}, {.read_only = true});
  EXPECT_NE(thrown<usage_error>([&] { reader.compact(); }).find("without read_only"), std::string::npos);
  EXPECT_NE(thrown<usage_error>([&] { reader.purge_vertices(std::vector<std::uint64_t>{1}); }).find("without read_only"),
            std::string::npos);
  EXPECT_TRUE(reader.contains(1));
}

}  // namespace
}  // namespace copse::test
