// The fast path for edge lists: every way x the zoo x one thread and many x pairs and columns, against breadth-first search; and the steps
// past the giant by themselves.
#include <gtest/gtest.h>
#include <fast/giant_probe.hpp>
#include <fast/solve_list.hpp>

#include <numeric>
#include <span>
#include <vector>

#include "fast/list_ways.hpp"

namespace copse::test {
namespace {

TEST(fast_lists, one_thread) { solve_lists<backend::serial, std::uint32_t>(1); }
TEST(fast_lists, many_threads) { solve_lists<backend::basic_threads<parents::atomic, 8>, std::uint32_t>(7); }
TEST(fast_lists, wide_ids) {
  solve_lists<backend::serial, std::uint64_t>(1);
  solve_lists<backend::basic_threads<parents::atomic, 8>, std::uint64_t>(3);
}

struct small_forest {
  std::vector<std::uint32_t> words;
  parents::plain<std::uint32_t> p;
  explicit small_forest(std::size_t n = 130) : words(n), p{words.data()} { std::iota(words.begin(), words.end(), 0u); }
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
  EXPECT_EQ(fast::edges_to_first_look(n, 780, true), 780u) << "hardly any would follow";
  EXPECT_EQ(fast::edges_to_first_look(n, 781, true), 750u);
  EXPECT_EQ(fast::edges_to_first_look(n, 1500, false), n) << "one thread";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 9000, 0), 250u) << "no giant yet";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 9000, .5), 500u) << "a giant that grows";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 9000, .9), 1000u) << "a giant that has grown";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 1030, .9), 1030u) << "hardly any would follow";
  EXPECT_EQ(fast::edges_to_next_look(1000, n, 1031, .9), 1000u);
}

TEST(fast_lists, a_pass_pays_for_edges_inside_and_for_long_paths) {
  constexpr std::uint64_t n = 1000;
  EXPECT_TRUE(fast::pass_pays(n, 1000, .34, 4));
  EXPECT_FALSE(fast::pass_pays(n, 1000, .33, 4));
  EXPECT_FALSE(fast::pass_pays(n, 300, 1, 4)) << "few edges";
  EXPECT_TRUE(fast::pass_pays(n, 300, 0, fast::long_path));
  EXPECT_FALSE(fast::pass_pays(n, 30, 1, fast::long_path)) << "hardly any";
}

/// A star of 0 .. 99, and a path from 1000 down to 101.
struct star_and_path : small_forest {
  star_and_path() : small_forest{1001} {
    for (std::uint32_t v = 1; v < 100; ++v) words[v] = 0;
    for (std::uint32_t v = 102; v <= 1000; ++v) words[v] = v - 1;
  }
  /// Was it in time?
  bool look(std::span<const edge<std::uint32_t>> edges, std::uint64_t to_come) {
    vote = fast::vote_of_edges(p, words.data(), edges, 0, edges.size(), 1);
    return fast::pass_if_it_pays(backend::serial{}, p, 1001u, vote, to_come, .3, inside, [this] { return bits.data(); });
  }
  fast::edge_vote<std::uint32_t> vote;
  std::vector<std::uint64_t> bits = std::vector<std::uint64_t>(16);
  fast::giant_bits<std::uint32_t> inside;
};

TEST(fast_lists, a_look_marks_the_giant) {
  star_and_path f;
  const std::vector<edge<std::uint32_t>> edges(400, {1, 99});
  EXPECT_FALSE(f.look(edges, 300));
  EXPECT_EQ(f.inside.words, nullptr);
  EXPECT_TRUE(f.look(edges, 400));
  EXPECT_EQ(f.vote.inside, 1);
  EXPECT_EQ(f.inside.giant, 0u);
  EXPECT_TRUE(f.inside.has(99));
  EXPECT_FALSE(f.inside.has(100));
  EXPECT_EQ(f.words[1000], 101u) << "the pass makes every path short";
  f.look(std::vector<edge<std::uint32_t>>(400, {100, 99}), 400);
  EXPECT_EQ(f.inside.words, nullptr) << "no edge lies inside";
}

TEST(fast_lists, a_look_makes_long_paths_short_without_a_giant) {
  star_and_path f;
  const std::vector<edge<std::uint32_t>> edges{{100, 1000}};
  EXPECT_TRUE(f.look(edges, 30)) << "no giant";
  EXPECT_EQ(f.words[1000], 999u);
  f.look(edges, 31);
  EXPECT_EQ(f.words[1000], 101u);
  EXPECT_EQ(f.inside.words, nullptr);
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
