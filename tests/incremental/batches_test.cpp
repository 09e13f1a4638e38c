// What a batch means: vertices that appear, queries before and after, the two ways to mix, and what a refused call leaves behind.
#include <gtest/gtest.h>
#include <api/dense_incremental.hpp>
#include <copse/copse.hpp>
#include <copse/incremental.hpp>

#include <array>
#include <random>
#include <vector>

#include "incremental/backends.hpp"
#include "support/failing_memory.hpp"
#include "support/labels.hpp"
#include "support/recorded_edges.hpp"
#include "support/zoo.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;
constexpr auto insert = operation::insert, query = operation::query;

TEST(incremental, starts_empty_and_vertices_appear_with_edges) {
  incremental live;
  EXPECT_EQ(live.slots(), 0u);
  EXPECT_EQ(live.count(), 0u);
  EXPECT_EQ(live.labels().slots(), 0u);
  live.insert(edges{{7, 3}});
  EXPECT_EQ(live.slots(), 8u);
  EXPECT_EQ(live.vertices(), 2u);
  EXPECT_EQ(live.count(), 1u);
  EXPECT_TRUE(live.contains(3));
  EXPECT_FALSE(live.contains(5)) << "a gap between ids is no vertex";
  EXPECT_FALSE(live.contains(8));
  EXPECT_FALSE(live.contains(4000000000u));
  live.insert(edges{{5, 5}});
  EXPECT_TRUE(live.contains(5)) << "a loop names its vertex";
  EXPECT_EQ(live.count(), 2u);
  live.insert(edges{});
  live.insert(edges{{5, 5}, {3, 7}});
  EXPECT_EQ(live.vertices(), 3u);
  EXPECT_EQ(live.count(), 2u);
  const labelling labels = live.labels();
  EXPECT_EQ(labels.label(7), 3u);
  EXPECT_EQ(labels.label(5), 5u);
  EXPECT_FALSE(labels.present(0));
}

TEST(incremental, declared_vertices_exist) {
  incremental live{{.vertices = 130}};
  EXPECT_EQ(live.count(), 130u);
  live.insert(edges{{0, 129}, {200, 1}});
  EXPECT_EQ(live.vertices(), 131u);
  EXPECT_EQ(live.count(), 129u);
  EXPECT_FALSE(live.contains(199));
  EXPECT_EQ(live.size_of(200), 2u);
  EXPECT_EQ(live.size_of(199), 0u);
  EXPECT_EQ(live.size_of(2), 1u);
}

TEST(incremental, sizes_are_of_now) {
  incremental live;
  live.insert(edges{{1, 2}, {3, 4}});
  EXPECT_EQ(live.size_of(1), 2u);
  live.insert(edges{{9, 9}});
  EXPECT_EQ(live.size_of(9), 1u);
  EXPECT_EQ(live.size_of(2), 2u);
  live.insert(edges{{6, 6}});
  EXPECT_EQ(live.size_of(6), 1u) << "came to exist inside the slots, and joined nothing";
  live.insert(edges{{2, 3}});
  EXPECT_EQ(live.size_of(4), 4u);
}

TEST(incremental, a_vertex_never_seen_is_connected_with_itself_only) {
  incremental live{{.vertices = 2}};
  live.insert(edges{{0, 1}});
  const auto answers =
      live.connected(edges{{0, 1}, {0, 77}, {77, 0}, {77, 77}, {77, 78}, {no_vertex<id>, no_vertex<id>}, {0, no_vertex<id>}});
  const std::array expected{true, false, false, true, false, true, false};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(answers[i], expected[i]) << i;
  EXPECT_EQ(live.slots(), 2u) << "queries make no vertices";
}

TEST(incremental, phased_queries_see_the_whole_batch) {
  for (const std::string variant : {"auto", "serial.none.async.halve", "threads.none.hooks.naive", "threads.none.liu_tarjan.PRS"}) {
    incremental live{{.variant = variant}};
    const edges batch{{5, 6}, {0, 1}, {0, 1}, {0, 9}, {1, 9}, {3, 4}, {no_vertex<id>, 0}, {4000000000, no_vertex<id>}};
    const std::array kinds{query, query, insert, query, insert, query, query, query};
    const auto answers = live.apply(batch, kinds);
    const std::array expected{false, true, false, true, false, false, false, false};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(answers[i], expected[i]) << variant << " " << i;
    EXPECT_EQ(live.vertices(), 3u) << "0, 1, 9: those of queries are not made";
  }
}

TEST(incremental, concurrent_on_one_thread_is_the_order_of_the_batch) {
  incremental live{{}, {.threads = 1}};
  edges batch;
  std::vector<operation> kinds;
  for (id v = 1; v < 500; ++v) {
    for (const auto& [kind, pair] : {std::pair{query, edge<id>{0, v}}, {insert, {v - 1, v}}, {query, {0, v}}}) {
      batch.push_back(pair);
      kinds.push_back(kind);
    }
  }
  const auto answers = live.apply(batch, kinds, mixing::concurrent);
  for (std::size_t i = 0; i < batch.size(); ++i) EXPECT_EQ(answers[i], i % 3 == 2) << i;
}

TEST(incremental, concurrent_answers_lie_between_before_and_after) {
  std::mt19937 random{5};
  const auto any = [&random] { return static_cast<id>(random() % 3000); };
  for (const std::string variant :
       {"threads.none.rem_cas.naive.halve_one", "threads.none.jtb.two_try_split", "threads.none.rem_lock.split.split_one"}) {
    incremental live{{.variant = variant, .vertices = 3000}, {.threads = 4}}, before{{.vertices = 3000}}, after{{.vertices = 3000}};
    for (int round = 0; round < 6; ++round) {
      edges batch, inserts;
      std::vector<operation> kinds;
      for (int i = 0; i < 4000; ++i) {
        batch.push_back({any(), any()});
        kinds.push_back(random() % 4 == 0 ? insert : query);
        if (kinds.back() == insert) inserts.push_back(batch.back());
      }
      after.insert(inserts);
      const auto earliest = before.connected(batch), latest = after.connected(batch);
      const auto answers = live.apply(batch, kinds, mixing::concurrent);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (kinds[i] == insert) {
          ASSERT_FALSE(answers[i]);
        } else {
          ASSERT_LE(earliest[i], answers[i]) << "what was connected stays so";
          ASSERT_LE(answers[i], latest[i]) << "nothing is connected that the batch does not connect";
        }
      }
      before.insert(inserts);
      ASSERT_EQ(live.count(), after.count());
    }
  }
}

TEST(incremental, a_mixed_batch_of_all_lengths_fills_its_own_bits) {
  for (const auto mode : {mixing::phased, mixing::concurrent}) {
    for (const std::size_t size : {0, 1, 63, 64, 65, 300, 1000, 20000}) {
      incremental live{{}, {.threads = 3}};
      edges batch;
      for (id i = 0; i < size; ++i) batch.push_back({i % 10, i % 10 + (i % 3 == 0 ? 0 : 100)});
      const std::vector<operation> kinds(size, query);
      const auto answers = live.apply(batch, kinds, mode);
      ASSERT_EQ(answers.size(), size);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(answers[i], i % 3 == 0) << i << " of " << size;
      if (size % 64 != 0) {
        EXPECT_EQ(answers.words().back() >> (size % 64), 0u);
      }
    }
  }
}

TEST(incremental, bad_calls_change_nothing) {
  incremental live{{.ids = vertex_ids::integers, .vertices = 4}};
  live.insert(edges{{0, 1}});
  EXPECT_THROW(live.insert(edges{{2, 3}, {1, no_vertex<id>}}), input_error);
  const std::vector<operation> kinds{insert, insert};
  EXPECT_THROW(static_cast<void>(live.apply(edges{{2, no_vertex<id>}, {2, 3}}, kinds)), input_error);
  EXPECT_THROW(static_cast<void>(live.apply(edges{{2, 3}}, kinds)), usage_error);
  EXPECT_EQ(live.count(), 3u);
  EXPECT_FALSE(live.connected(2, 3));
}

TEST(incremental, an_allocation_that_fails_leaves_the_structure_as_it_was) {
  for (const std::string variant :
       {"serial.none.rem", "threads.none.hooks.halve", "threads.none.jtb.naive", "threads.none.liu_tarjan.CRSA"}) {
    for (std::uint64_t allowed = 0;; ++allowed) {
      failing_memory source;
      tracked_memory memory{UINT64_MAX, &source};
      const bool forest = variant == "serial.none.rem";
      incremental live{{.variant = variant, .record_forest = forest, .vertices = 10}, {.threads = 2, .memory = &memory}};
      live.insert(edges{{1, 2}});
      const std::uint64_t before = memory.current_bytes();
      source.fail_after(allowed);
      try {
        live.insert(edges{{2, 3}, {5, 1000}});
        source.never_fail();
        EXPECT_EQ(live.count(), 8u);
        EXPECT_GT(allowed, 0u);
        break;
      } catch (const resource_error&) {
        source.never_fail();
        EXPECT_GE(memory.current_bytes(), before);
        EXPECT_EQ(live.count(), 9u) << variant << " after " << allowed;
        EXPECT_FALSE(live.connected(2, 3));
        EXPECT_FALSE(live.contains(1000));
        live.insert(edges{{2, 3}, {5, 1000}});
        EXPECT_EQ(live.count(), 8u) << "11 vertices, 3 links";
      }
      ASSERT_LT(allowed, 50u);
    }
  }
}

TEST(incremental, starts_from_labels) {
  for (const auto& variant : variants_that_run()) {
    const std::vector<id> labels{0, 0, no_vertex<id>, 3, 3, 0, 6};
    incremental live = incremental::from(to_labelling(labels), {.variant = variant.name}, {.threads = 2});
    EXPECT_EQ(live.vertices(), 6u) << variant.name;
    EXPECT_EQ(live.count(), 3u);
    EXPECT_FALSE(live.contains(2));
    EXPECT_TRUE(live.connected(1, 5));
    EXPECT_FALSE(live.connected(1, 4));
    live.insert(edges{{5, 4}, {6, 8}});
    EXPECT_EQ(live.count(), 2u) << variant.name;
    EXPECT_EQ(live.labels().label(4), 0u) << variant.name;
    EXPECT_EQ(live.labels().label(8), 6u) << variant.name;
    EXPECT_EQ(live.size_of(3), 5u);
  }
  EXPECT_THROW(static_cast<void>(incremental::from(to_labelling(std::vector<id>{1, 1}))), usage_error) << "no canonical labels";
  EXPECT_THROW(static_cast<void>(incremental::from(dense(to_labelling(std::vector<id>{0, 1})))), usage_error) << "numbers of components";
}

TEST(incremental, starts_from_labels_of_any_names) {
  const std::vector<id> labels{0, 1, 0};
  incremental live = incremental::from(labelling{to_buffer(labels), string_names({"a", "b", "c"})});
  EXPECT_EQ(live.id_kind(), vertex_ids::strings);
  EXPECT_EQ(live.count(), 2u);
  EXPECT_TRUE(live.connected("a", "c"));
  EXPECT_FALSE(live.connected("a", "b"));
  live.insert({std::vector<std::string>{"b"}, std::vector<std::string>{"d"}});
  EXPECT_EQ(live.size_of("b"), 2u);
  const auto named = [&labels] { return labelling{to_buffer(labels), string_names({"a", "b", "c"})}; };
  EXPECT_THROW(static_cast<void>(incremental::from(named(), {.ids = vertex_ids::sparse})), usage_error);
  EXPECT_THROW(static_cast<void>(incremental::from(named(), {.record_forest = true})), usage_error);
  EXPECT_THROW(static_cast<void>(incremental::from(labelling{to_buffer(labels), string_names({"a", "b", "a"})})), usage_error)
      << "a name that comes twice";

  std::vector<std::uint64_t> ids{static_cast<std::uint64_t>(-7), 5, 1'000'000'000'000};
  incremental numbers = incremental::from(labelling{to_buffer(labels), vertex_names::integers(to_buffer(ids), true)});
  EXPECT_EQ(numbers.id_kind(), vertex_ids::sparse);
  EXPECT_TRUE(numbers.connected(-7, 1'000'000'000'000));
  EXPECT_FALSE(numbers.contains(static_cast<std::uint64_t>(-7)));
  EXPECT_THROW(numbers.insert({std::vector{UINT64_MAX}, std::vector<std::uint64_t>{5}}), input_error) << "one of them is negative";
}

TEST(incremental, starts_from_a_static_solve_of_any_graph) {
  for (const char* spec : {"karate", "er:n=500,m=400", "osm:side=20,keep=.5"}) {
    const graph rows = gen::generate(spec), list = gen::generate_edges(spec);
    const auto expected = checksum(components(rows).labels);
    for (const bool record : {false, true}) {
      for (const auto* g : {&rows, &list}) {
        incremental live = incremental::from(*g, {.record_forest = record});
        EXPECT_EQ(checksum(live.labels()), expected) << spec;
        if (record) {
          EXPECT_EQ(recorded_edges(live.forest()).size(), live.vertices() - live.count());
        }
        api::dense_incremental<std::uint64_t> wide(*g, {.record_forest = record});
        EXPECT_EQ(checksum(wide.labels()), expected) << spec;
      }
    }
  }
}

}  // namespace
}  // namespace copse::test
