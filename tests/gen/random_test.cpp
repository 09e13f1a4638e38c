// The building blocks: bijections are bijections, pairs are all pairs, decimals are exact, the binomial table is the binomial distribution.
#include <core/random.hpp>
#include <gen/er.hpp>
#include <gen/pairs.hpp>
#include <gen/spec.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace copse::gen {
namespace {

TEST(random_stream, has_the_words_of_splitmix64) {
  // The published sequence of SplitMix64 started at 1234567.
  random_stream stream{0, 0};
  stream.key = 1234567;
  EXPECT_EQ(stream.word(0), 6457827717110365317u);
  EXPECT_EQ(stream.word(1), 3203168211198807973u);
  EXPECT_EQ(stream.word(2), 9817491932198370423u);
}

TEST(random_stream, fills_buckets_evenly) {
  const random_stream stream{7, 1};
  std::vector<int> hits(100);
  for (std::uint64_t i = 0; i < 100'000; ++i) ++hits[stream.below(i, 100)];
  double chi_square = 0;
  for (const int h : hits) chi_square += (h - 1000.0) * (h - 1000.0) / 1000.0;
  EXPECT_GT(chi_square, 50);  // 99 degrees of freedom: mean 99, deviation 14
  EXPECT_LT(chi_square, 160);
}

TEST(permutation, is_a_bijection_of_every_size) {
  for (std::uint64_t n = 0; n < 300; ++n) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const permutation order{n, {seed, 2}};
      std::set<std::uint64_t> images;
      for (std::uint64_t x = 0; x < n; ++x) images.insert(order(x));
      ASSERT_EQ(images.size(), n);
      ASSERT_TRUE(n == 0 || *images.rbegin() == n - 1);
    }
  }
}

TEST(permutation, sends_every_number_everywhere) {
  // Of ten numbers, over 20,000 seeds, x goes to y about 2,000 times (deviation 42), and pairs of neighbours go to any of 90 pairs.
  std::vector<std::vector<int>> to(10, std::vector<int>(10));
  std::vector<int> pair(100);
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const permutation order{10, {seed, 2}};
    for (std::uint64_t x = 0; x < 10; ++x) ++to[x][order(x)];
    ++pair[order(3) * 10 + order(4)];
  }
  for (const auto& row : to) {
    for (const int hits : row) EXPECT_NEAR(hits, 2000, 300);
  }
  for (int i = 0; i < 100; ++i) {
    if (i / 10 != i % 10) {
      EXPECT_NEAR(pair[i], 222, 90);
    }
  }
}

TEST(permutation, of_large_ranges_stays_in_range) {
  for (const std::uint64_t n : {(std::uint64_t{1} << 32) + 1, (std::uint64_t{1} << 63) + 5, ~std::uint64_t{0}}) {
    const permutation order{n, {1, 2}};
    std::set<std::uint64_t> images;
    for (std::uint64_t x = 0; x < 1000; ++x) images.insert(order(n - 1 - x));
    EXPECT_EQ(images.size(), 1000u);
    EXPECT_LT(*images.rbegin(), n);
  }
}

TEST(pairs, are_all_pairs_once) {
  for (std::uint64_t n = 0; n < 40; ++n) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    ASSERT_EQ(pair_count(n), n < 2 ? 0 : n * (n - 1) / 2);
    for (std::uint64_t k = 0; k < pair_count(n); ++k) {
      const edge<std::uint32_t> e = pair_at<std::uint32_t>(k, n);
      ASSERT_NE(e.u, e.v);
      ASSERT_LT(std::max(e.u, e.v), n);
      seen.insert(std::minmax(e.u, e.v));
    }
    ASSERT_EQ(seen.size(), pair_count(n));
  }
  EXPECT_EQ(pair_count(most_vertices_with_pairs), most_vertices_with_pairs / 2 * (most_vertices_with_pairs - 1));
}

TEST(fraction, is_exact) {
  EXPECT_EQ(fraction::parse(".5")->scaled(32), std::uint64_t{1} << 31);
  EXPECT_EQ(fraction::parse("1")->scaled(63), std::uint64_t{1} << 63);
  EXPECT_EQ(fraction::parse("1.000")->scaled(32), std::uint64_t{1} << 32);
  EXPECT_EQ(fraction::parse("0")->scaled(32), 0u);
  EXPECT_EQ(fraction::parse("0.125")->scaled(3), 1u);
  EXPECT_EQ(fraction::parse(".57")->scaled(32), 2448131358u);         // floor(0.57 * 2^32)
  EXPECT_EQ(fraction::parse(".1")->scaled(63), 922337203685477580u);  // floor(2^63 / 10)
  EXPECT_EQ(fraction::parse(".57")->plus(*fraction::parse(".19"))->plus(*fraction::parse(".19"))->scaled(32),
            fraction::parse(".95")->scaled(32));
  EXPECT_FALSE(fraction::parse(".6")->plus(*fraction::parse(".41")));
  EXPECT_EQ(fraction::parse(".3")->complement().scaled(40), fraction::parse(".7")->scaled(40));
  EXPECT_EQ(fraction::parse(".000000000000000001")->digits(60, 60), 1329227995784915872u);  // floor(2^120 / 10^18)
}

TEST(fraction, refuses_what_is_no_fraction) {
  for (const char* text :
       {"", ".", "-.5", "+.5", "1.1", "2", "1e-3", "0x1", ".5 ", " .5", "1.0000000000000000001", ".1234567890123456789", "a"}) {
    EXPECT_FALSE(fraction::parse(text)) << text;
  }
}

// The same distribution by floating point: accurate enough to judge the table by.
double binomial(unsigned b, double q, unsigned k) {
  const double n = std::ldexp(1.0, static_cast<int>(b));
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1) + k * std::log(q) + (n - k) * std::log1p(-q));
}

TEST(binomial_table, is_the_binomial_distribution) {
  const struct {
    unsigned b;
    const char* q;
    double value;
  } cases[] = {{3, ".5", .5}, {4, ".5", .5},      {4, ".3", .3},         {4, ".000001", 1e-6},
               {5, ".2", .2}, {10, ".005", .005}, {20, ".000005", 5e-6}, {12, "0.00123", .00123}};
  for (const auto& c : cases) {
    const binomial_table table{c.b, *fraction::parse(c.q)};
    double sum = 0;
    for (unsigned k = 0; k <= std::min(30u, (1u << c.b) - 1); ++k) {
      sum += binomial(c.b, c.value, k);
      EXPECT_NEAR(std::ldexp(static_cast<double>(table.cumulative(k)), -64), sum, 1e-8) << c.q << " at " << k;
    }
  }
}

TEST(binomial_table, of_tiny_shares_is_nearly_poisson) {
  const binomial_table table{62, *fraction::parse(".000000000000000001")};  // mean 2^62 / 10^18 = 4.6117
  double sum = 0;
  double term = std::exp(-std::ldexp(1.0, 62) * 1e-18);
  for (unsigned k = 0; k < 40; ++k) {
    sum += term;
    EXPECT_NEAR(std::ldexp(static_cast<double>(table.cumulative(k)), -64), sum, 1e-12);
    term *= std::ldexp(1.0, 62) * 1e-18 / (k + 1);
  }
}

TEST(binomial_table, inverts_its_own_bounds) {
  const binomial_table table{3, *fraction::parse(".5")};
  EXPECT_EQ(table.cumulative(0), std::uint64_t{1} << 56);  // 2^-8 exactly
  EXPECT_EQ(table.draw(0), 0u);
  EXPECT_EQ(table.draw(table.cumulative(0) - 1), 0u);
  EXPECT_EQ(table.draw(table.cumulative(0)), 1u);
  EXPECT_EQ(table.draw(~std::uint64_t{0}), 8u);
  EXPECT_EQ((binomial_table{4, *fraction::parse("0")}.draw(~std::uint64_t{0})), 0u);
}

}  // namespace
}  // namespace copse::gen
