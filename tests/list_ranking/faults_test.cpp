// What is no set of lists is refused, with the same element whatever the variant and the threads.
#include <gtest/gtest.h>

#include <algorithm>

#include "list_ranking/lists.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

template <class Id>
void expect_refused(const std::vector<Id>& successors, const std::string& expected) {
  const std::vector<std::int64_t> weights(successors.size(), 0);
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (!is_on_cpu(v)) continue;
    for (const rank_origin from : both_origins) {
      for (const unsigned threads : v.backend == "threads" ? std::vector{2u, 7u} : std::vector{1u}) {
        for (const std::uint64_t splitters : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{successors.size()}}) {
          const rank_options options{.variant = v.name, .from = from, .rounds = 6, .splitters = splitters};
          ASSERT_EQ(thrown<list_error>([&] { rank_list(successors, options, {.threads = threads}); }), expected)
              << v.name << " " << splitters << " splitters";
          ASSERT_EQ(thrown<list_error>([&] { rank_list(successors, weights, rank_operation::min, options, {.threads = threads}); }),
                    expected)
              << v.name;
        }
      }
    }
  }
}

using list = std::vector<std::uint32_t>;

TEST(faults, out_of_range_is_refused) {
  expect_refused(list{1, 3, 2}, "list: found 3 after element 1, expected an element below 3, or itself or all ones where a list ends");
  expect_refused(std::vector<std::uint64_t>{1, std::uint64_t{1} << 40},
                 "list: found 1099511627776 after element 1, expected an element below 2, or itself or all ones where a list ends");
  expect_refused(list{0, 0xFFFFFFFEu},
                 "list: found 4294967294 after element 1, expected an element below 2, or itself or all ones where a list ends");
}

TEST(faults, two_predecessors_are_refused) {
  expect_refused(list{2, 2, 2}, "list: found element 2 after 0 and after 1, expected one predecessor at most");
  expect_refused(list{1, 1, 3, 3, 3}, "list: found element 3 after 2 and after 4, expected one predecessor at most");
  // As many elements as heads and tails alone would allow: one list whose tail two reach, and a cycle.
  expect_refused(list{1, 2, 2, 1}, "list: found element 1 after 0 and after 3, expected one predecessor at most");
  // One way into a cycle.
  expect_refused(list{1, 2, 3, 1, 4}, "list: found element 1 after 0 and after 3, expected one predecessor at most");
}

TEST(faults, cycles_are_refused) {
  expect_refused(list{1, 0}, "list: found element 0 on a cycle, expected every list to end");
  expect_refused(list{0, 2, 3, 1}, "list: found element 1 on a cycle, expected every list to end");
  expect_refused(list{4, 2, 1, 3, 4, 3}, "list: found element 1 on a cycle, expected every list to end");
}

TEST(faults, one_in_a_long_list_is_found) {
  const auto whole = list_of<std::uint32_t>("list:n=20000");
  const auto tail =
      static_cast<std::uint32_t>(std::ranges::find_if(whole, [&](const auto& s) { return s == &s - whole.data(); }) - whole.begin());
  auto closed = whole;  // the tail leads back to the middle
  closed[tail] = whole[17];
  const std::uint32_t first = std::min(tail, 17u), second = std::max(tail, 17u);
  expect_refused(closed, "list: found element " + std::to_string(whole[17]) + " after " + std::to_string(first) + " and after " +
                             std::to_string(second) + ", expected one predecessor at most");
  auto split = whole;  // two elements swap their successors: a list and a cycle
  std::swap(split[17], split[18]);
  const std::string said = thrown<list_error>([&] { rank_list(split, {.variant = "serial.walk"}); });
  if (!said.empty()) expect_refused(split, said);
  auto skipped = whole;  // one element is left out, and becomes a head that leads into the list
  skipped[17] = whole[whole[17]];
  expect_refused(skipped, thrown<list_error>([&] { rank_list(skipped, {.variant = "serial.walk"}); }));
  EXPECT_NE(thrown<list_error>([&] { rank_list(skipped, {.variant = "threads.helman_jaja"}, {.threads = 7}); }), "");
}

TEST(faults, a_hundred_random_arrays_are_judged_alike) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto successors = list_of<std::uint32_t>("lists:n=40,count=3,seed=" + std::to_string(seed));
    successors[seed % 40] = static_cast<std::uint32_t>(seed * 7 % 40);
    const std::string said = thrown<list_error>([&] { rank_list(successors, {.variant = "serial.wyllie"}); });
    if (said.empty()) {
      EXPECT_EQ(as_vector(rank_list(successors, {.variant = "threads.fis"}, {.threads = 2}).ranks),
                expected_counts(successors, rank_origin::end));
    } else {
      expect_refused(successors, said);
    }
  }
}

}  // namespace
}  // namespace copse::test
