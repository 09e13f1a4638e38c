// What helman_jaja keeps in a word: sublists that outgrow their place, and words that are too narrow.
#include <gtest/gtest.h>
#include <list_ranking/coin.hpp>
#include <list_ranking/sublists.hpp>
#include <list_ranking/variants.hpp>

#include "list_ranking/lists.hpp"

namespace copse::test {
namespace {

using namespace list_ranking;

TEST(records, sublists_that_outgrow_their_place_go_on) {
  for (const unsigned bits : {1u, 2u, 3u, 5u}) {
    for (unsigned n = 1; n < 200; n += 3) {
      const auto successors = list_of<std::uint32_t>("lists:n=" + std::to_string(n) + ",count=" + std::to_string(1 + n / 50));
      for (const rank_origin from : both_origins) {
        for (const std::uint64_t splitters : {0u, 5u}) {
          for (const unsigned threads : {1u, 3u}) {
            std::vector<std::uint32_t> ranks(n);
            list_outcome report;
            count_on_cpu<std::uint32_t>(list_algorithm::helman_jaja, threads, nullptr, successors, ranks,
                                        {.from = from, .splitters = std::min<std::uint64_t>(splitters, n), .local_bits_at_most = bits},
                                        report);
            ASSERT_EQ(ranks, expected_counts(successors, from)) << bits << " bits, " << n << " elements";
          }
        }
      }
    }
  }
}

TEST(records, every_sublist_has_a_number) {
  for (const unsigned word_bits : {32u, 64u}) {
    for (const std::uint64_t n : {0ull, 1ull, 1000ull, 1ull << 26, (1ull << 31) - 2000000, 1ull << 31, 1ull << 33}) {
      for (const std::uint64_t starts : {1ull, 8192ull, 1ull << 20, 1ull << 30}) {
        const unsigned local = local_bits_for(n, starts, word_bits, 64);
        if (local == no_local_bits) {
          EXPECT_EQ(word_bits, 32u);
          continue;
        }
        EXPECT_LT(local, word_bits - 1);
        EXPECT_LE(starts + (n >> local) + 1, std::uint64_t{1} << (word_bits - 1 - local));
        EXPECT_LT(n + starts, std::uint64_t{1} << (word_bits - 1));
      }
    }
  }
  EXPECT_NE(local_bits_for(1ull << 27, 1ull << 13, 32, 64), no_local_bits);
  EXPECT_EQ(local_bits_for(1ull << 31, 1, 32, 64), no_local_bits);
  EXPECT_EQ(local_bits_for(1000, 1ull << 31, 32, 64), no_local_bits);
}

TEST(splitters, are_different_and_in_range) {
  for (const std::uint64_t n : {1u, 7u, 100u, 1001u}) {
    for (const std::uint64_t parts : {std::uint64_t{1}, n / 2 + 1, n}) {
      std::uint64_t before = 0;
      for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t e = splitter_of(part, parts, n, {3, 1});
        ASSERT_LT(e, n);
        ASSERT_TRUE(part == 0 || e > before);
        before = e;
      }
    }
  }
}

TEST(rounds, are_four_log_log_n) {
  EXPECT_EQ(rounds_for(0), 0u);
  EXPECT_EQ(rounds_for(3), 0u);
  EXPECT_EQ(rounds_for(1 << 16), 16u);
  EXPECT_EQ(rounds_for(std::uint64_t{1} << 27), 19u);
}

}  // namespace
}  // namespace copse::test
