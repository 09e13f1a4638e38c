// What curves and levels are made of, each against the plainest way to say the same, with numbers that lie unevenly.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <loops/threads.hpp>
#include <weighted/thresholds/growing_trees.hpp>
#include <weighted/thresholds/levels.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weighted.hpp"

namespace copse::test {
namespace {

using limits = std::numeric_limits<double>;

/// From 0 to 1.
double unit(std::uint64_t hash) { return static_cast<double>(hash >> 11) / 9007199254740992.0; }

/// Ways to make numbers of random bits.
std::vector<weighting> uneven() {
  std::vector<weighting> all = weightings();
  all.push_back({"in one cell, but for one", [](std::uint64_t hash) { return hash % 1000 == 0 ? 1e300 : unit(hash); }});
  all.push_back({"of all magnitudes", [](std::uint64_t hash) { return std::ldexp(unit(hash), static_cast<int>(hash % 2000) - 1000); }});
  all.push_back({"too far apart for a width", [](std::uint64_t hash) { return hash % 2 == 0 ? limits::max() : -limits::max(); }});
  all.push_back({"next to zero", [](std::uint64_t hash) { return static_cast<double>(hash % 7) * limits::denorm_min(); }});
  all.push_back({"next to one", [](std::uint64_t hash) { return 1 + static_cast<double>(hash % 50) * limits::epsilon(); }});
  all.push_back({"crowded at one end", [](std::uint64_t hash) { return std::pow(unit(hash), 40); }});
  return all;
}

std::vector<double> numbers(const weighting& how, std::size_t count, std::uint64_t seed) {
  const random_stream random{seed, 7};
  std::vector<double> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = how.weight(random.word(i));
  return all;
}

TEST(splitters, find_as_a_search_by_halves) {
  for (const weighting& how : uneven()) {
    for (const std::size_t count : {0, 1, 2, 3, 100, 1000, 4095}) {
      std::vector<double> ascending = numbers(how, count, count);
      std::ranges::sort(ascending);
      const weighted::splitters split{ascending};
      ASSERT_EQ(split.size(), count);
      std::vector<double> asked = numbers(how, 2000, 1);
      asked.insert(asked.end(), ascending.begin(), ascending.end());
      asked.insert(asked.end(), {0, -0.0, limits::infinity(), -limits::infinity(), limits::max(), limits::lowest(), .5});
      for (const double x : asked) {
        ASSERT_EQ(split.at_most(x), static_cast<std::size_t>(std::ranges::upper_bound(ascending, x) - ascending.begin()))
            << how.name << ", " << count << " numbers, " << x;
      }
    }
  }
}

TEST(value_sorter, leaves_distinct_values_ascending) {
  weighted::value_sorter sorter;
  for (const weighting& how : uneven()) {
    for (const std::size_t count : {0, 1, 2, 17, 1000, 4096, 30'000}) {
      const std::vector<double> values = numbers(how, count, count);
      std::vector<double> expected = values;
      std::ranges::sort(expected);
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      for (const auto& [low, high] :
           {std::pair{-1.0, 1.0}, {0.0, 0.0}, {-limits::infinity(), limits::infinity()}, {limits::lowest(), 1e300}}) {
        std::vector<double> kept = values;
        kept.resize(sorter.unite(kept.data(), kept.data() + kept.size(), low, high));
        EXPECT_EQ(kept, expected) << how.name << ", " << count << ", from " << low;
      }
    }
  }
}

template <unsigned_index Word>
std::vector<std::uint64_t> pairs_and_largest(std::uint32_t vertices, const std::vector<std::vector<edge<std::uint32_t>>>& rounds,
                                             unsigned threads) {
  const backend::basic_threads<parents::atomic, 4> loops{threads};
  weighted::growing_trees<backend::basic_threads<parents::atomic, 4>, Word> trees{loops, vertices, std::pmr::get_default_resource()};
  std::vector<std::uint64_t> found;
  for (const auto& round : rounds) {
    trees.join(std::span<const edge<std::uint32_t>>{round});
    const threshold_point p = trees.point(0);
    found.insert(found.end(), {p.components, p.largest, p.singletons, p.median, p.percentile_90, p.percentile_99, p.pairs});
  }
  return found;
}

// The same trees in words of both widths, on one thread and on many; rounds in which many trees grow large at once, so that threads meet
// at their roots.
TEST(growing_trees, are_the_same_in_words_of_both_widths_and_on_any_threads) {
  constexpr std::uint32_t vertices = 40'000, trees = 7;
  const random_stream random{9, 9};
  std::vector<std::vector<edge<std::uint32_t>>> rounds(50);
  for (std::uint32_t v = trees; v < vertices; ++v) {
    const auto parent = static_cast<std::uint32_t>(v % 3 == 0 ? random.below(v, v) : v % trees);
    rounds[random.below(vertices + v, 2) == 0 ? v / 1000 : random.below(2 * vertices + v, 50)].push_back({v, parent});
  }
  const auto expected = pairs_and_largest<std::uint32_t>(vertices, rounds, 1);
  EXPECT_EQ(expected[expected.size() - 7], trees);
  EXPECT_EQ(pairs_and_largest<std::uint64_t>(vertices, rounds, 1), expected);
  for (int turn = 0; turn < 10; ++turn) {
    EXPECT_EQ(pairs_and_largest<std::uint32_t>(vertices, rounds, 8), expected);
    EXPECT_EQ(pairs_and_largest<std::uint64_t>(vertices, rounds, 8), expected);
  }
}

// Random forests, weights and lists of thresholds, out of order, repeated, and between weights.
TEST(thresholds, of_random_forests_are_those_of_their_hierarchies) {
  const std::vector<weighting> kinds = uneven();
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const random_stream random{trial, 3};
    const auto vertices = static_cast<std::uint32_t>(random.below(0, trial % 10 == 0 ? 5000 : 60));
    const std::uint64_t roots = 1 + random.below(1, 9), reach = 1 + random.below(2, 100);
    std::vector<edge<std::uint32_t>> edges;
    for (std::uint32_t v = 1; v < vertices; ++v) {
      if (random.below(100 + v, 10) < roots)
        edges.push_back({v, v - 1 - static_cast<std::uint32_t>(random.below(9000 + v, std::min<std::uint64_t>(v, reach)))});
    }
    buffer<edge<std::uint32_t>> held{edges.size()};
    std::ranges::copy(edges, held.begin());
    const graph forest{coo<std::uint32_t>{vertices, std::move(held)}};
    const weighting& how = kinds[trial % kinds.size()];
    const std::vector<double> weights = numbers(how, edges.size(), trial);
    std::vector<double> thresholds = numbers(how, random.below(3, 50), trial + 1);
    for (std::size_t i = 0; i < weights.size() && i < 20; ++i) thresholds.push_back(weights[i]);
    thresholds.insert(thresholds.end(), {limits::infinity(), -limits::infinity(), 0, 0});
    const hierarchy joined{forest, weights_view{std::span{weights}}};
    for (const unsigned threads : {1u, 4u}) {
      const execution on{.threads = threads};
      const auto found = threshold_curve(forest, weights_view{std::span{weights}}, thresholds, on), expected = joined.curve(thresholds);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const auto& [f, e] = std::pair{found[i], expected[i]};
        ASSERT_TRUE(f.threshold == e.threshold && f.components == e.components && f.largest == e.largest && f.singletons == e.singletons &&
                    f.median == e.median && f.percentile_90 == e.percentile_90 && f.percentile_99 == e.percentile_99 && f.pairs == e.pairs)
            << "trial " << trial << ", " << how.name << ", threads " << threads << ", threshold " << f.threshold;
      }
      ASSERT_EQ(threshold_levels(weights_view{std::span{weights}}, on), joined.levels()) << trial << ", " << how.name;
      ASSERT_EQ(threshold_levels(weights_view{std::span{weights}}, 11, on), joined.levels(11)) << trial << ", " << how.name;
    }
  }
}

}  // namespace
}  // namespace copse::test
