// Inserts and queries from two columns of any integer type, and labels into the caller's memory: what pairs of the same edges answer.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

template <class Column>
struct columns {
  std::vector<Column> sources, targets;
};
template <class Column, class Id>
columns<Column> columns_of(std::span<const edge<Id>> edges) {
  columns<Column> result;
  for (const auto [u, v] : edges) {
    result.sources.push_back(static_cast<Column>(u));
    result.targets.push_back(static_cast<Column>(v));
  }
  return result;
}

template <class Id, class Column>
void expect_as_pairs(const std::string& variant) {
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    std::vector<edge<Id>> edges, questions;
    for (const auto [u, v] : g.edges.edges) edges.push_back({u, v});
    for (Id v = 0; v < g.edges.vertex_count + 3; ++v) questions.push_back({v, v * 7 % (g.edges.vertex_count + 3)});
    const incremental_options options{.variant = variant, .ids = vertex_ids::integers};
    incremental by_pairs{options, {.threads = 3}}, by_columns{options, {.threads = 3}};
    const auto inserts = columns_of<Column, Id>(edges), queries = columns_of<Column, Id>(questions);
    by_pairs.insert(edges);
    by_columns.insert({inserts.sources, inserts.targets});
    const query_answers expected = by_pairs.connected(questions), found = by_columns.connected({queries.sources, queries.targets});
    ASSERT_TRUE(std::ranges::equal(found.words(), expected.words())) << variant << " on " << g.name;
    ASSERT_EQ(by_columns.slots(), by_pairs.slots());
    std::vector<std::uint32_t> labels(by_columns.slots());
    by_columns.labels(labels);
    const labelling right = by_pairs.labels();
    for (std::size_t v = 0; v < labels.size(); ++v) {
      ASSERT_EQ(labels[v] == no_vertex<std::uint32_t> ? no_vertex<std::uint64_t> : labels[v], right.label(v))
          << variant << " on " << g.name;
    }
  }
}

TEST(incremental_columns, answer_as_pairs_do) {
  for (const std::string variant : {"auto", "serial.none.rem", "threads.none.jtb.naive", "threads.none.shiloach_vishkin"}) {
    expect_as_pairs<std::uint32_t, std::int32_t>(variant);
    expect_as_pairs<std::uint32_t, std::uint64_t>(variant);
    expect_as_pairs<std::uint64_t, std::int64_t>(variant);
    expect_as_pairs<std::uint64_t, std::uint32_t>(variant);
  }
}

TEST(incremental_columns, of_more_than_one_part) {
  constexpr std::int64_t n = 200001;
  columns<std::int64_t> path;
  for (std::int64_t v = 1; v < n; ++v) {
    path.sources.push_back(v - 1);
    path.targets.push_back(v);
  }
  incremental live{{}, {.threads = 2}};
  live.insert({path.sources, path.targets});
  EXPECT_EQ(live.count(), 1u);
  path.targets[150000] = n + 5;
  const query_answers answers = live.connected({path.sources, path.targets});
  for (std::size_t i = 0; i < answers.size(); ++i) ASSERT_EQ(answers[i], i != 150000) << i;
}

TEST(incremental_columns, one_may_be_a_vector_and_the_other_an_array) {
  incremental live;
  live.insert({std::vector<std::int32_t>{4, 7}, std::array<std::int32_t, 2>{5, 7}});
  EXPECT_EQ(live.vertices(), 3u);
}

template <class Column>
std::string refusal_of(const std::vector<Column>& sources, const std::vector<Column>& targets) {
  incremental live{{.ids = vertex_ids::integers, .vertices = 1}};
  std::string text = "accepted";
  try {
    live.insert({sources, targets});
  } catch (const input_error& error) {
    text = error.what();
  } catch (const usage_error& error) {
    text = error.what();
  }
  if (text != "accepted") {
    EXPECT_EQ(live.slots(), 1u) << "a refused batch leaves everything as it was";
  }
  return text;
}

TEST(incremental_columns, wrong_ids_are_refused_with_their_place) {
  const std::string range = ", expected ids from 0 to 4294967294 (use sparse ids for others)";
  EXPECT_EQ((refusal_of<std::int32_t>({1, 2}, {2, 3})), "accepted");
  EXPECT_EQ((refusal_of<std::int32_t>({1, 2}, {2, -3})), "insert: targets[1]: found the id -3" + range);
  EXPECT_EQ((refusal_of<std::int64_t>({1, 1LL << 32}, {2, 3})), "insert: sources[1]: found the id 4294967296" + range);
  EXPECT_EQ((refusal_of<std::uint32_t>({UINT32_MAX}, {2})), "insert: sources[0]: found the id 4294967295" + range);
  EXPECT_EQ((refusal_of<std::uint64_t>({1}, {UINT64_MAX})), "insert: targets[0]: found the id 18446744073709551615" + range);
  EXPECT_EQ((refusal_of<std::int32_t>({1}, {2, 3})), "insert: there must be as many targets as sources, not 2 and 1");
}

TEST(incremental_columns, labels_want_one_place_per_slot) {
  incremental live{{.vertices = 3}};
  std::vector<std::uint32_t> two(2);
  EXPECT_THROW(live.labels(two), usage_error);
}

}  // namespace
}  // namespace copse::test
