// The fast path for edge lists: every combination of its switches x the zoo x one thread and many x pairs and columns, against
// breadth-first search; and the steps past the giant by themselves.
#include <gtest/gtest.h>
#include <fast/solve_list.hpp>

#include <numeric>
#include <vector>

#include "fast/list_ways.hpp"

namespace copse::test {
namespace {

TEST(fast_lists, one_thread) { solve_lists<backend::serial, std::uint32_t>(1); }
TEST(fast_lists, many_threads) { solve_lists<backend::basic_omp<parents::atomic, 8>, std::uint32_t>(7); }
TEST(fast_lists, wide_ids) {
  solve_lists<backend::serial, std::uint64_t>(1);
  solve_lists<backend::basic_omp<parents::atomic, 8>, std::uint64_t>(3);
}

struct small_forest {
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(130);
  parents::plain<std::uint32_t> p{words.data()};
  small_forest() { std::iota(words.begin(), words.end(), 0u); }
};

TEST(fast_lists, a_walk_stops_at_the_giant_and_does_not_read_its_word) {
  small_forest f;
  f.words[9] = 7;
  f.words[8] = 9;
  f.words[7] = 3;  // the giant was hooked since
  EXPECT_EQ(fast::root_or_giant(f.p, 7u, 7u), 7u);
  EXPECT_EQ(fast::root_or_giant(f.p, 8u, 7u), 7u);
  EXPECT_EQ(fast::root_or_giant(f.p, 8u, 5u), 3u);
}

TEST(fast_lists, a_giant_that_meets_a_smaller_root_is_hooked_under_it) {
  small_forest f;
  fast::unite_past<unite::rem>(f.p, 9u, 7u, 7u);
  fast::unite_past<unite::rem>(f.p, 2u, 9u, 7u);
  EXPECT_EQ(f.words[7], 2u);
  fast::unite_past<unite::rem>(f.p, 20u, 9u, 7u);
  EXPECT_EQ(fast::parent_of(f.p, fast::parent_of(f.p, 20u)), 2u);
}

TEST(fast_lists, bits_are_raised_for_those_in_the_giant_alone_and_stay) {
  small_forest f;
  for (const unsigned v : {5u, 64u, 129u}) f.words[v] = 1;
  std::vector<std::uint64_t> bits(3, 0xaaaa);
  fast::raise_giant_bits<true>(backend::serial{}, f.p, 130u, 64, 1u, bits.data());
  EXPECT_EQ(bits, (std::vector<std::uint64_t>{1u << 1 | 1u << 5, 1, 2}));
  f.words[65] = 64;
  f.words[3] = 65;
  fast::raise_giant_bits<false>(backend::serial{}, f.p, 130u, 64, 1u, bits.data());
  EXPECT_EQ(bits, (std::vector<std::uint64_t>{1u << 1 | 1u << 3 | 1u << 5, 3, 2}));
}

TEST(fast_lists, looks_are_made_where_enough_edges_are_to_come) {
  constexpr std::uint64_t n = 1000;
  EXPECT_EQ(fast::first_look(n, 1749, true), n) << "less than as many edges as vertices would follow";
  EXPECT_EQ(fast::first_look(n, 1750, true), 750u);
  EXPECT_EQ(fast::first_look(n, 1750, false), n) << "one thread";
  EXPECT_EQ(fast::edges_to_first_look(n, 1060, true), 1060u) << "a list of roads has no look at all";
  EXPECT_EQ(fast::edges_to_first_look(n, 1499, true), 1499u);
  EXPECT_EQ(fast::edges_to_first_look(n, 1500, true), n);
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 9000, .5, true), 500u) << "a giant that grows";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 9000, .5, false), 1000u);
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 9000, .9, true), 1000u) << "a giant that has grown";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 1499, .9, true), 1499u) << "less than half as many would follow";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 1500, .9, true), 1000u);
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 999, .5, true), 999u) << "too few are to come for a look at a giant that grows";
}

TEST(fast_lists, eight_edges_are_filtered_as_one_is) {
  std::vector<std::uint64_t> bits(4);
  for (const unsigned v : {0u, 3u, 31u, 32u, 64u, 65u, 100u, 191u, 199u}) bits[v / 64] |= std::uint64_t{1} << v % 64;
  std::vector<edge<std::uint32_t>> list;
  for (std::uint32_t k = 0; k < 300; ++k) list.push_back({k * 67 % 200, k % 3 == 0 ? 3 : k * 31 % 200});
  std::vector<std::uint32_t> sources, targets;
  for (const auto [u, v] : list) sources.push_back(u), targets.push_back(v);
  const std::span<const edge<std::uint32_t>> pairs{list};
  const fast::column_edges<std::uint32_t> columns{{200, sources, targets}};
  for (const bool named : {true, false}) {
    for (const std::size_t first : {0u, 1u, 5u}) {
      for (const std::size_t last : {5u, 8u, 13u, 256u, 300u}) {
        const fast::giant_filter<std::uint32_t> wide{{bits.data(), 3}, 200, named, true}, narrow{{bits.data(), 3}, 200, named, false};
        std::vector<edge<std::uint32_t>> expected(last - first + fast::filter_room), kept = expected, kept_columns = expected;
        const auto alone = narrow(pairs, first, last, expected.data()), both = wide(pairs, first, last, kept.data()),
                   by_columns = wide(columns, first, last, kept_columns.data());
        ASSERT_TRUE(both.known && by_columns.known && alone.known);
        ASSERT_EQ(both.kept, alone.kept);
        ASSERT_EQ(by_columns.kept, alone.kept);
        for (std::size_t k = 0; k < alone.kept; ++k) {
          ASSERT_EQ(kept[k], expected[k]) << k;
          ASSERT_EQ(kept_columns[k], expected[k]) << k;
        }
      }
    }
  }
  fast::giant_filter<std::uint32_t> low{{bits.data(), 3}, 199, true, true};
  std::vector<edge<std::uint32_t>> kept(300 + fast::filter_room);
  EXPECT_FALSE(low(pairs, 0, 300, kept.data()).known) << "199 is no vertex of 199";
}

TEST(fast_lists, the_vote_counts_edges_inside) {
  small_forest f;
  for (std::uint32_t v = 1; v < 100; ++v) f.words[v] = 0;
  std::vector<edge<std::uint32_t>> edges(50, {1, 99});
  const std::span<const edge<std::uint32_t>> all{edges};
  EXPECT_EQ(fast::vote_of_edges(f.p, f.words.data(), all, 0, 50, 1).inside, 1);
  edges.assign(50, {1, 100});
  const auto outside = fast::vote_of_edges(f.p, f.words.data(), all, 0, 50, 1);
  EXPECT_EQ(outside.inside, 0);
}

}  // namespace
}  // namespace copse::test
