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
