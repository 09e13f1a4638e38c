// Every variant of the CPU on every size from 0 to 1,000, on 1, 2 and 7 threads, from both ends.
#include <gtest/gtest.h>

#include "list_ranking/lists.hpp"
#include "support/sweep_length.hpp"

namespace copse::test {
namespace {

class every_size : public ::testing::TestWithParam<std::string> {};

TEST_P(every_size, of_one_list_and_of_several_is_ranked) {
  const bool threaded = GetParam().starts_with("threads");
  for (unsigned n = 0; n <= 1000; n += quick() && n > 40 ? 37 : 1) {
    std::vector<std::string> specs{"list:n=" + std::to_string(n) + ",seed=" + std::to_string(n)};
    if (n > 0) specs.push_back("lists:n=" + std::to_string(n) + ",count=" + std::to_string(1 + n * n % n) + ",seed=" + std::to_string(n));
    if (n > 2) specs.push_back("lists:n=" + std::to_string(n) + ",count=" + std::to_string(1 + n * 7 % (n - 1)));
    if (n % 50 == 0) specs.push_back("ordered_list:n=" + std::to_string(n));
    for (const std::string& spec : specs) {
      const auto successors = list_of<std::uint32_t>(spec);
      for (const rank_origin from : both_origins) {
        const auto expected = expected_counts(successors, from);
        for (const unsigned threads : threaded ? std::vector{2u, 7u} : std::vector{1u}) {
          rank_options options{.variant = GetParam(), .from = from, .seed = n};
          if (n % 3 == 1) options.splitters = n % 11 + n / 4;
          if (n % 3 == 2) options.in_flight = 1 + n % 5;
          if (n % 4 == 3) options.rounds = n % 9;
          const auto found = rank_list(successors, options, {.threads = threads});
          ASSERT_EQ(as_vector(found.ranks), expected) << spec << " on " << threads << " threads";
          ASSERT_EQ(found.report.variant, GetParam());
        }
      }
    }
  }
}

TEST_P(every_size, of_64_bit_ids_is_ranked) {
  for (const std::uint64_t n : {0, 1, 2, 3, 63, 64, 65, 500, 3000}) {
    const auto successors = list_of<std::uint64_t>("lists:n=" + std::to_string(n) + ",count=" + std::to_string((n + 2) / 3));
    for (const rank_origin from : both_origins) {
      const auto found = rank_list(successors, {.variant = GetParam(), .from = from}, {.threads = 2});
      ASSERT_EQ(as_vector(found.ranks), expected_counts(successors, from)) << n;
      ASSERT_EQ(found.lists, (n + 2) / 3);
    }
  }
}

TEST_P(every_size, of_lists_that_end_with_all_ones_is_ranked) {
  auto successors = list_of<std::uint32_t>("lists:n=300,count=20");
  const auto expected = expected_counts(successors, rank_origin::end);
  for (std::size_t e = 0; e < successors.size(); e += 2) {
    if (successors[e] == e) successors[e] = no_vertex<std::uint32_t>;
  }
  EXPECT_EQ(as_vector(rank_list(successors, {.variant = GetParam()}, {.threads = 2}).ranks), expected);
}

TEST_P(every_size, large_enough_for_many_blocks_is_ranked) {
  if (GetParam() == "serial.walk") GTEST_SKIP() << "what the others are held against";
  for (const std::string spec : {"list:n=300000", "lists:n=300000,count=9000", "lists:n=300000,count=300000", "ordered_list:n=300000"}) {
    const auto successors = list_of<std::uint32_t>(spec);
    for (const rank_origin from : both_origins) {
      const auto expected = rank_list(successors, {.variant = "serial.walk", .from = from});
      const auto found = rank_list(successors, {.variant = GetParam(), .from = from}, {.threads = 7});
      ASSERT_EQ(as_vector(found.ranks), as_vector(expected.ranks)) << spec;
      ASSERT_EQ(found.lists, expected.lists);
    }
  }
}

std::vector<std::string> names_on_cpu() {
  std::vector<std::string> names;
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (is_on_cpu(v)) names.emplace_back(v.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(list_ranking, every_size, testing::ValuesIn(names_on_cpu()), [](const auto& of) {
  std::string name = of.param;
  name[name.find('.')] = '_';
  return name;
});

}  // namespace
}  // namespace copse::test
