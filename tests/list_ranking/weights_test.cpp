#include <gtest/gtest.h>

#include <algorithm>
#include <core/random.hpp>

#include "list_ranking/lists.hpp"
#include "support/sweep_length.hpp"

namespace copse::test {
namespace {

std::int64_t together(rank_operation operation, std::int64_t a, std::int64_t b) {
  return operation == rank_operation::sum ? a + b : operation == rank_operation::min ? std::min(a, b) : std::max(a, b);
}

std::vector<std::int64_t> some_weights(std::size_t n, std::uint64_t seed) {
  std::vector<std::int64_t> weights(n);
  const random_stream random{seed, 9};
  for (std::size_t e = 0; e < n; ++e) weights[e] = static_cast<std::int64_t>(random.below(e, 2001)) - 1000;
  return weights;
}

template <class Id>
void expect_right(const std::string& spec, std::uint64_t seed) {
  const auto successors = list_of<Id>(spec);
  const auto weights = some_weights(successors.size(), seed);
  for (const rank_operation operation : {rank_operation::sum, rank_operation::min, rank_operation::max}) {
    for (const rank_origin from : both_origins) {
      const auto expected =
          expected_ranks(successors, weights, from, [operation](std::int64_t a, std::int64_t b) { return together(operation, a, b); });
      for (const variant_info& v : variants(problem_kind::list_ranking)) {
        if (!is_on_cpu(v)) continue;
        for (const unsigned threads : v.backend == "threads" ? std::vector{2u, 7u} : std::vector{1u}) {
          rank_options options{.variant = v.name, .from = from, .seed = seed};
          if (seed % 2 == 0) options.splitters = seed % 13;
          const auto found = rank_list(successors, weights, operation, options, {.threads = threads});
          ASSERT_EQ(as_vector(found.ranks), expected) << v.name << " " << spec << " operation " << static_cast<int>(operation);
        }
      }
    }
  }
}

TEST(weights, are_put_together_along_every_list) {
  for (unsigned n = 0; n < 200; n += quick() ? 17 : 3) {
    const std::string size = std::to_string(n);
    expect_right<std::uint32_t>("list:n=" + size + ",seed=" + size, n);
    expect_right<std::uint64_t>("lists:n=" + size + ",count=" + std::to_string((n + 4) / 5), n + 1);
  }
  expect_right<std::uint32_t>("lists:n=20000,count=30", 5);
  expect_right<std::uint64_t>("list:n=20000", 6);
}

TEST(weights, of_the_widest_sums_are_exact) {
  const std::vector<std::uint32_t> successors{1, 2, 3, 3};
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  const std::vector<std::int64_t> weights{most - 5, 5, least, 0};
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (!is_on_cpu(v)) continue;
    const auto found = rank_list(successors, weights, rank_operation::sum, {.variant = v.name}, {.threads = 2});
    EXPECT_EQ(as_vector(found.ranks), (std::vector<std::int64_t>{-1, least + 5, least, 0})) << v.name;
  }
}

TEST(weights, whose_sums_would_wrap_are_refused) {
  const std::vector<std::uint32_t> successors{1, 1};
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(rank_list(successors, std::vector<std::int64_t>{most, 1}, rank_operation::sum), resource_error);
  EXPECT_THROW(rank_list(successors, std::vector<std::int64_t>{-most, -2}, rank_operation::sum), resource_error);
  EXPECT_EQ(rank_list(successors, std::vector<std::int64_t>{most, 1}, rank_operation::max).ranks[0], most);
  EXPECT_THROW(rank_list(successors, std::vector<std::int64_t>{1}, rank_operation::max), usage_error);
}

}  // namespace
}  // namespace copse::test
