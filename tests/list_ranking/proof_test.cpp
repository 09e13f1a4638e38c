// The proof accepts right ranks and refuses each kind of wrong ones; so do lists that are none.
#include <gtest/gtest.h>
#include <copse/verify.hpp>

#include "list_ranking/lists.hpp"

namespace copse::test {
namespace {

TEST(proof, accepts_right_ranks) {
  for (const unsigned n : {0u, 1u, 2u, 77u, 1000u}) {
    const auto successors = list_of<std::uint32_t>("lists:n=" + std::to_string(n) + ",count=" + std::to_string((n + 9) / 10));
    for (const rank_origin from : both_origins) {
      const auto found = verify_ranks(successors, expected_counts(successors, from), from);
      EXPECT_TRUE(found) << found.reason;
      EXPECT_EQ(found.elements, n);
      EXPECT_EQ(found.lists, (n + 9) / 10);
    }
  }
}

TEST(proof, refuses_every_rank_that_is_off) {
  const auto successors = list_of<std::uint32_t>("lists:n=60,count=4");
  for (const rank_origin from : both_origins) {
    const auto right = expected_counts(successors, from);
    for (std::size_t e = 0; e < right.size(); ++e) {
      for (const std::uint32_t wrong : {right[e] + 1, right[e] - 1, 0xFFFFFFFFu}) {
        auto ranks = right;
        ranks[e] = wrong;
        const auto found = verify_ranks(successors, ranks, from);
        EXPECT_FALSE(found) << e;
        EXPECT_NE(found.reason.find("has rank"), std::string::npos);
      }
    }
    auto shifted = right;  // every rank one more: only the ends tell
    for (auto& rank : shifted) ++rank;
    EXPECT_FALSE(verify_ranks(successors, shifted, from));
    auto shorter = right;
    shorter.pop_back();
    EXPECT_EQ(verify_ranks(successors, shorter, from).reason, "found 59 ranks, expected 60");
    EXPECT_FALSE(verify_ranks(successors, right, from == rank_origin::end ? rank_origin::head : rank_origin::end));
  }
}

TEST(proof, refuses_what_is_no_list) {
  using list = std::vector<std::uint32_t>;
  const auto reason = [](const list& successors, const list& ranks) { return verify_ranks(successors, ranks, rank_origin::end).reason; };
  EXPECT_EQ(reason({1, 5}, {0, 0}), "element 1 is followed by 5, which does not exist");
  EXPECT_EQ(reason({2, 2, 2}, {1, 1, 0}), "element 2 follows two elements");
  EXPECT_EQ(reason({1, 0}, {1, 0}), "element 1 has rank 0, expected 2");
  EXPECT_EQ(reason({1, 0}, {0, 0xFFFFFFFFu}), "element 0 has rank 0, expected 4294967296");
}

TEST(proof, of_weights_refuses_cycles_and_wrong_ranks) {
  using list = std::vector<std::uint32_t>;
  using weights = std::vector<std::int64_t>;
  const auto reason = [](const list& successors, const weights& of, rank_operation operation, const weights& ranks) {
    return verify_ranks(successors, of, operation, ranks, rank_origin::end).reason;
  };
  EXPECT_EQ(reason({1, 0, 2}, {0, 0, 0}, rank_operation::sum, {0, 0, 0}), "2 elements lie on cycles");
  EXPECT_EQ(reason({1, 2, 2}, {1, 2, 4}, rank_operation::sum, {7, 6, 4}), "");
  EXPECT_EQ(reason({1, 2, 2}, {1, 2, 4}, rank_operation::sum, {7, 6, 5}), "element 1 has rank 6, expected 7");
  EXPECT_EQ(reason({1, 2, 2}, {3, 2, 4}, rank_operation::min, {2, 2, 4}), "");
  EXPECT_EQ(reason({1, 2, 2}, {3, 2, 4}, rank_operation::max, {4, 4, 4}), "");
  EXPECT_EQ(reason({1, 2, 2}, {3, 2, 4}, rank_operation::max, {4, 3, 4}), "element 0 has rank 4, expected 3");
  EXPECT_EQ(reason({1, 2, 2}, {3, 2, 4}, rank_operation::max, {4, 4}), "found 2 ranks, expected 3");
}

}  // namespace
}  // namespace copse::test
