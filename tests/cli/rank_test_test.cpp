// Mann-Whitney U against published values and against counting all orders.
#include "../../cli/bench_trials.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace copse::cli {
namespace {

using samples = std::vector<double>;

// The example of SciPy's mannwhitneyu: U = 17, exact p = 1/9.
TEST(rank_test, scipy_example) {
  const auto result = rank_test(samples{19, 22, 16, 29, 24}, samples{20, 11, 17, 12});
  EXPECT_EQ(result.u, 17);
  EXPECT_NEAR(result.p, 1.0 / 9, 1e-12);
  EXPECT_EQ(result.direction, -1);
}

// R, example(wilcox.test): Hollander and Wolfe's permeability constants; W = 35, one-sided p = 0.1272, so two-sided 0.2544.
TEST(rank_test, exact_example_of_r) {
  const auto result = rank_test(samples{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, samples{1.15, 0.88, 0.90, 0.74, 1.21});
  EXPECT_EQ(result.u, 35);
  EXPECT_NEAR(result.p, 0.2544, 5e-5);
}

// R, example(wilcox.test): ozone in May and August of airquality, with ties; W = 127.5, p-value = 0.0001208.
TEST(rank_test, tied_example_of_r) {
  const samples may{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37};
  const samples august{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85};
  const auto result = rank_test(may, august);
  EXPECT_EQ(result.u, 127.5);
  EXPECT_NEAR(result.p, 0.0001208, 5e-8);
  EXPECT_EQ(result.direction, 1);
  EXPECT_EQ(rank_test(august, may).direction, -1);
  EXPECT_DOUBLE_EQ(rank_test(august, may).p, result.p);
}

// All ways in which 4 of 7 ranks can belong to a.
TEST(rank_test, exact_values_are_shares_of_all_orders) {
  struct order {
    samples a, b;
    double distance;
  };
  std::vector<order> orders;
  for (unsigned mask = 0; mask < 1u << 7; ++mask) {
    if (std::popcount(mask) != 4) continue;
    order next{{}, {}, 0};
    for (unsigned rank = 0; rank < 7; ++rank) ((mask >> rank & 1u) != 0 ? next.a : next.b).push_back(rank);
    next.distance = std::abs(rank_test(next.a, next.b).u - 6);
    orders.push_back(next);
  }
  ASSERT_EQ(orders.size(), 35u);
  for (const order& o : orders) {
    double as_far = 0;
    for (const order& other : orders) as_far += other.distance >= o.distance ? 1 : 0;
    EXPECT_NEAR(rank_test(o.a, o.b).p, as_far / 35, 1e-12);
  }
}

TEST(rank_test, what_is_counted_and_what_is_approximated_agree) {
  const auto p_of = [](int each) {
    samples a, b;
    for (int i = 0; i < each; ++i) {
      a.push_back(2 * i);
      b.push_back(2 * i + 13);
    }
    return rank_test(a, b).p;
  };
  EXPECT_NEAR(p_of(30), p_of(31), 0.005);  // 60 samples are counted, 62 are not
  EXPECT_GT(p_of(30), 0.001);
  EXPECT_LT(p_of(30), 0.05);
}

TEST(rank_test, nothing_can_be_told_from_equal_or_single_samples) {
  EXPECT_EQ(rank_test(samples{1, 1, 1}, samples{1, 1, 1}).p, 1);
  EXPECT_EQ(rank_test(samples{1, 1, 1}, samples{1, 1, 1}).direction, 0);
  EXPECT_EQ(rank_test(samples{1}, samples{2}).p, 1);
  EXPECT_DOUBLE_EQ(smallest_p(1, 1), 1);
  EXPECT_DOUBLE_EQ(smallest_p(3, 3), 0.1);
  EXPECT_DOUBLE_EQ(smallest_p(4, 4), 2.0 / 70);
  EXPECT_DOUBLE_EQ(rank_test(samples{1, 2, 3, 4}, samples{5, 6, 7, 8}).p, smallest_p(4, 4));
}

}  // namespace
}  // namespace copse::cli
