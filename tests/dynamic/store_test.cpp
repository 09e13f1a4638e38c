// Graphs in folders: what is opened again is what was closed, readers see committed batches, and there is one writer.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "dynamic/stored.hpp"
#include "support/sweep_length.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

template <class Id>
Id id_of(unsigned v, std::deque<std::string>& names) {
  if constexpr (std::same_as<Id, std::string_view>) {
    return names.emplace_back(v == 0 ? "" : std::string(v % 5 * 20, '\0') + "\xff" + std::to_string(v));
  } else if constexpr (std::same_as<Id, std::int64_t>) {
    return (static_cast<std::int64_t>(v) - 7) * 1000000007;
  } else if constexpr (std::same_as<Id, std::uint64_t>) {
    return v * 0x9E3779B97F4A7C15u;
  } else {
    return v;
  }
}

/// A random batch for both graphs.
template <class Id>
void step(std::mt19937& random, const dynamic_options& options, basic_dynamic<Id>& stored, basic_dynamic<Id>& twin,
          std::deque<std::string>& names) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned what = below(8);
  if (what == 0 && options.times) {
    const auto before = static_cast<std::int64_t>(below(60));
    ASSERT_EQ(stored.expire(before).erased, twin.expire(before).erased);
  } else if (what == 1 && twin.oldest_batch() <= twin.last_batch()) {
    const std::uint64_t batch = twin.oldest_batch() + below(static_cast<unsigned>(twin.last_batch() - twin.oldest_batch() + 1));
    const std::string refusal = thrown<usage_error>([&] { twin.revert(batch, revert_conflicts::skip); });
    ASSERT_EQ(thrown<usage_error>([&] { stored.revert(batch, revert_conflicts::skip); }), refusal);
  } else {
    std::vector<dynamic_operation<Id>> operations(below(12));
    const bool is_uniform = below(2) == 0;
    for (auto& operation : operations) {
      const unsigned kind = is_uniform ? what % 4 : below(4);
      operation.kind = kind == 3 && options.keys    ? dynamic_operation_kind::erase_key
                       : kind == 2 && below(4) == 0 ? dynamic_operation_kind::erase_vertex
                       : kind == 1                  ? dynamic_operation_kind::erase
                                                    : dynamic_operation_kind::insert;
      operation.edge = {id_of<Id>(below(20), names), id_of<Id>(below(20), names), below(9) * .5, static_cast<std::int64_t>(below(80)),
                        below(3)};
    }
    ASSERT_EQ(stored.apply(operations).inserted, twin.apply(operations).inserted);
  }
}

template <class Id>
void run_stored_history(unsigned seed) {
  std::mt19937 random{seed};
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  dynamic_options options{.weights = below(2) == 0, .times = below(2) == 0, .keys = below(3) == 0, .keep_vertices = below(3) == 0};
  options.history = below(3) == 0 ? UINT64_MAX : 1 + below(6);
  if (below(4) == 0) options.count_window = 3 + below(20);
  const temporary_folder folder;
  const std::filesystem::path path = folder / "people";
  const dynamic_store_options store{.durable = below(2) == 0 ? durability::full : durability::relaxed, .remark = "a remark"};
  std::deque<std::string> names;
  basic_dynamic<Id> twin{options};
  std::optional<basic_dynamic<Id>> stored = basic_dynamic<Id>::open(path, options, store);
  for (unsigned batch = 0; batch < 25; ++batch) {
    ASSERT_NO_FATAL_FAILURE(step(random, options, *stored, twin, names));
    if (below(5) == 0) stored->compact();
    if (below(12) == 0) {
      const std::vector<Id> gone{id_of<Id>(below(20), names), id_of<Id>(below(20), names)};
      ASSERT_EQ(stored->purge_vertices(gone).erased, twin.purge_vertices(gone).erased);
      ASSERT_NO_FATAL_FAILURE(expect_same_graph(*stored, twin)) << "batch " << twin.last_batch();
    }
    if (below(3) != 0) continue;
    stored.reset();
    stored = basic_dynamic<Id>::open(path, below(2) == 0 ? std::optional{options} : std::nullopt, store);
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(*stored, twin)) << "batch " << twin.last_batch();
  }
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(basic_dynamic<Id>::open(path, {}, {.read_only = true}), twin))
      << "a reader while the writer is open";
  const auto facts = dynamic_facts_of(path);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->remark, "a remark");
  EXPECT_EQ(facts->options.history, options.history);
  EXPECT_EQ(facts->options.count_window, options.count_window);
}

template <class Id>
void run_stored_histories(unsigned first) {
  for (unsigned seed = first; seed < first + (quick() ? 3u : all_graphs() ? 2000u : 12u); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(run_stored_history<Id>(seed));
  }
}

TEST(dynamic_store, of_dense_ids_is_opened_as_it_was_closed) {
  NEEDS_STORE;
  run_stored_histories<std::uint32_t>(1);
}
TEST(dynamic_store, of_sparse_ids_is_opened_as_it_was_closed) {
  NEEDS_STORE;
  run_stored_histories<std::uint64_t>(1000);
}
TEST(dynamic_store, of_signed_ids_is_opened_as_it_was_closed) {
  NEEDS_STORE;
  run_stored_histories<std::int64_t>(2000);
}
TEST(dynamic_store, of_strings_is_opened_as_it_was_closed) {
  NEEDS_STORE;
  run_stored_histories<std::string_view>(3000);
}

using sparse = basic_dynamic<std::uint64_t>;

// Opening applies batches that only insert together, but for those whose changes may still be asked for.
TEST(dynamic_store, batches_of_inserts_are_as_if_they_were_applied_one_by_one) {
  NEEDS_STORE;
  for (const std::uint64_t history : {1, 3}) {
    const temporary_folder folder;
    const dynamic_options options{.history = history};
    dynamic twin{options};
    std::mt19937 random{static_cast<std::uint32_t>(history)};
    const auto some_edges = [&](std::size_t count, std::uint32_t vertices) {
      std::vector<dynamic_edge<std::uint32_t>> edges(count);
      for (auto& edge : edges)
        edge = {.u = static_cast<std::uint32_t>(random() % vertices), .v = static_cast<std::uint32_t>(random() % 4000)};
      return edges;
    };
    {
      dynamic graph = dynamic::open(folder / "g", options, {.durable = durability::relaxed});
      for (std::uint32_t batch = 1; batch <= 60; ++batch) {
        if (batch % 13 == 0) {
          graph.revert(batch - history, revert_conflicts::skip);
          twin.revert(batch - history, revert_conflicts::skip);
        } else if (batch % 17 == 0) {
          const auto edges = some_edges(2000, 4000);
          graph.erase(edges);
          twin.erase(edges);
        } else {
          const auto edges = some_edges(batch == 30 ? 70'000 : batch < 10 ? 300 : 3000, 100 * batch);
          graph.insert(edges);
          twin.insert(edges);
        }
      }
    }
    for (const unsigned threads : {1u, 4u}) {
      dynamic again = dynamic::open(folder / "g", {}, {.read_only = true}, {.threads = threads});
      ASSERT_NO_FATAL_FAILURE(expect_same_graph(again, twin)) << history;
    }
    dynamic again = dynamic::open(folder / "g");
    const auto edges = twin.edges();
    for (const auto gone : {std::span{edges}.first(edges.size() / 2), std::span{edges}.subspan(edges.size() / 3)}) {
      again.erase(gone);
      twin.erase(gone);
      ASSERT_NO_FATAL_FAILURE(expect_same_graph(again, twin)) << history;
    }
  }
}

TEST(dynamic_store, a_reader_sees_what_is_committed_and_the_past) {
  NEEDS_STORE;
  const temporary_folder folder;
  const dynamic_options options{.history = 5};
  sparse writer = sparse::open(folder / "g", options);
  std::vector<sparse> after;
  for (std::uint64_t batch = 0; batch <= 6; ++batch) {
    after.emplace_back(options);
    for (std::uint64_t b = 1; b <= batch; ++b) after.back().apply(numbered_batch(1, b));
  }
  writer.apply(numbered_batch(1, 1));
  sparse reader = sparse::open(folder / "g", {}, {.read_only = true});
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(reader, after[1]));
  for (std::uint64_t batch = 2; batch <= 6; ++batch) {
    writer.apply(numbered_batch(1, batch));
    ASSERT_EQ(reader.last_batch(), batch == 6 ? 4u : batch - 1);
    if (batch != 5) {
      ASSERT_EQ(reader.refresh(), batch);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(reader, after[reader.last_batch()]));
  }
  for (std::uint64_t batch = 0; batch <= 6; ++batch)
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(sparse::open(folder / "g", {}, {.read_only = true, .until = batch}), after[batch]));
  EXPECT_NE(thrown<usage_error>([&] { reader.insert(1, 2); }).find("open it without read_only"), std::string::npos);
  EXPECT_NE(thrown<usage_error>([&] { writer.refresh(); }).find("read_only"), std::string::npos);
  EXPECT_NE(thrown<usage_error>([&] {
              static_cast<void>(sparse::open(folder / "g", {}, {.read_only = true, .until = 7}));
            }).find("the last is 6"),
            std::string::npos);
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(sparse::open(folder / "g", {}, {.until = 2})); }).find("read_only"),
            std::string::npos);
}

TEST(dynamic_store, a_second_writer_is_refused_with_the_process_of_the_first) {
  NEEDS_STORE;
  const temporary_folder folder;
  {
    const sparse first = sparse::open(folder / "g");
    EXPECT_NE(
        thrown<usage_error>([&] { static_cast<void>(sparse::open(folder / "g")); }).find("process " + std::to_string(getpid()) + " writes"),
        std::string::npos);
  }
  EXPECT_EQ(sparse::open(folder / "g").last_batch(), 0u);
}

TEST(dynamic_store, other_ids_and_options_are_refused) {
  NEEDS_STORE;
  const temporary_folder folder;
  static_cast<void>(sparse::open(folder / "g", dynamic_options{.weights = true, .history = 7}));
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(basic_dynamic<std::string_view>::open(folder / "g")); }).find("unsigned integers"),
            std::string::npos);
  EXPECT_NE(
      thrown<usage_error>([&] { static_cast<void>(sparse::open(folder / "g", dynamic_options{.weights = true})); }).find("history = 7"),
      std::string::npos);
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(sparse::open(folder / "g", dynamic_options{.history = 7})); }).find("weights = 1"),
            std::string::npos);
  EXPECT_EQ(sparse::open(folder / "g", dynamic_options{.weights = true, .history = 7, .snapshots = true}).snapshot().batch(), 0u);
}

TEST(dynamic_store, what_is_no_store_is_refused) {
  NEEDS_STORE;
  const temporary_folder folder;
  const auto reads = [&](const std::filesystem::path& path) { static_cast<void>(sparse::open(path, {}, {.read_only = true})); };
  EXPECT_EQ(thrown<input_error>([&] { reads(folder / "none"); }),
            (folder / "none").string() + ": there is no dynamic graph here; check the path, or open it for writing, which makes one");
  EXPECT_FALSE(dynamic_facts_of(folder / "none"));
  std::filesystem::create_directory(folder / "other");
  EXPECT_THROW(reads(folder / "other"), input_error);
  std::ofstream{folder / "other/batches.sqlite"}
      << "this is no database, but a text that is longer than the header of one would be, which has 100 bytes";
  EXPECT_THROW(reads(folder / "other"), input_error);
  EXPECT_THROW(static_cast<void>(sparse::open(folder / "other")), input_error);
  EXPECT_THROW(static_cast<void>(dynamic_facts_of(folder / "other")), input_error);
  std::ofstream{folder / "file"} << "x";
  EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(sparse::open(folder / "file")); }),
            (folder / "file").string() + ": the folder cannot be made (Not a directory); give the path of a folder that can be written to");
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(dynamic_store, a_refused_batch_leaves_nothing) {
  NEEDS_STORE;
  const temporary_folder folder;
  auto graph = dynamic::open(folder / "g", dynamic_options{.history = 2});
  graph.insert(1, 2);
  EXPECT_THROW(graph.insert(1, UINT32_MAX), input_error);
  EXPECT_THROW(graph.revert(7), usage_error);
  EXPECT_THROW(graph.expire(7), usage_error);
  EXPECT_EQ(graph.last_batch(), 1u);
  const auto reader = dynamic::open(folder / "g", {}, {.read_only = true});
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(reader, graph));
}

}  // namespace
}  // namespace copse::test
