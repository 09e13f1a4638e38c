// The order of turns in copse bench: nobody keeps a place or a neighbour.
#include "../../cli/bench_trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace copse::cli {
namespace {

TEST(bench_order, every_round_is_a_permutation) {
  for (std::size_t count = 0; count < 12; ++count) {
    for (std::uint64_t round = 0; round < 30; ++round) {
      auto order = turn_order(count, round, 3);
      std::ranges::sort(order);
      std::vector<std::size_t> all(count);
      std::iota(all.begin(), all.end(), std::size_t{0});
      ASSERT_EQ(order, all) << count << " in round " << round;
    }
  }
}

TEST(bench_order, everyone_has_every_place_equally_often) {
  for (std::size_t count = 1; count < 12; ++count) {
    for (const std::uint64_t square : {0u, 1u, 2u}) {
      std::set<std::pair<std::size_t, std::size_t>> places;
      for (std::uint64_t round = square * count; round < (square + 1) * count; ++round) {
        const auto order = turn_order(count, round, 5);
        for (std::size_t place = 0; place < count; ++place) places.emplace(order[place], place);
      }
      EXPECT_EQ(places.size(), count * count) << count;
    }
  }
}

TEST(bench_order, everyone_follows_everyone_equally_often) {
  for (std::size_t count = 2; count < 12; ++count) {
    const std::uint64_t rounds = count % 2 == 0 ? count : 2 * count;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> followed;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto order = turn_order(count, round, 9);
      for (std::size_t place = 1; place < count; ++place) ++followed[{order[place - 1], order[place]}];
    }
    EXPECT_EQ(followed.size(), count * (count - 1)) << count;
    for (const auto& [pair, times] : followed) EXPECT_EQ(times, rounds / count) << count << ": " << pair.first << " " << pair.second;
  }
}

TEST(bench_order, the_seed_draws_it_and_draws_it_again) {
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    orders.insert(turn_order(30, 0, seed));
    EXPECT_EQ(turn_order(30, 7, seed), turn_order(30, 7, seed));
  }
  EXPECT_EQ(orders.size(), 20u);
}

}  // namespace
}  // namespace copse::cli
