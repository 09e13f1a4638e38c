// Options, memory, and what reports say.
#include <gtest/gtest.h>

#include <set>

#include "list_ranking/lists.hpp"
#include "support/failing_memory.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

std::string complaint(const rank_options& options, const execution& on = {}) {
  return thrown<usage_error>([&] { rank_list(std::vector<std::uint32_t>{1, 1}, options, on); });
}

TEST(options, out_of_range_are_refused) {
  EXPECT_EQ(complaint({.in_flight = 0}), "in_flight must be from 1 to 256, not 0");
  EXPECT_EQ(complaint({.in_flight = 257}), "in_flight must be from 1 to 256, not 257");
  EXPECT_EQ(complaint({.rounds = 1001}), "rounds must be from 0 to 1000, not 1001");
  EXPECT_TRUE(complaint({.variant = "threads.walk"}).starts_with("there is no variant threads.walk; use one of auto, serial.walk, "))
      << complaint({.variant = "threads.walk"});
  EXPECT_EQ(complaint({.variant = "serial.walk"}, {.device = "cuda:0"}),
            "device cuda:0 needs a variant of cuda or hybrid, not serial.walk");
}

TEST(options, auto_says_what_it_took) {
  const auto small = rank_list(list_of<std::uint32_t>("list:n=100"));
  EXPECT_EQ(small.report.variant, "serial.walk");
  EXPECT_NE(small.report.explanation.find("100 elements"), std::string::npos);
  const auto large = list_of<std::uint32_t>("list:n=100000");
  EXPECT_EQ(rank_list(large, {}, {.threads = 1}).report.variant, "serial.helman_jaja");
  EXPECT_EQ(rank_list(large, {}, {.threads = 3}).report.variant, "threads.helman_jaja");
  EXPECT_EQ(rank_list(large, {}, {.threads = 3}).report.threads, 3u);
}

TEST(options, names_are_unique_and_made_of_their_parts) {
  std::set<std::string> names;
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
    EXPECT_EQ(v.name, std::string{v.backend} + "." + std::string{v.finish});
  }
  EXPECT_GE(names.size(), 7u);
  const variant_info* const walk = find_variant("serial.walk", input_kind::coo, problem_kind::list_ranking);
  ASSERT_NE(walk, nullptr);
  EXPECT_EQ(walk, find_variant("serial.walk", input_kind::csr, problem_kind::list_ranking));
  EXPECT_EQ(variants_matching("serial.*", problem_kind::list_ranking).size(), 4u);
  EXPECT_EQ(refusal("serial.walk", input_kind::csr, problem_kind::list_ranking), std::nullopt);
  EXPECT_EQ(refusal("threads.walk", input_kind::csr, problem_kind::list_ranking), complaint({.variant = "threads.walk"}));
}

TEST(report, of_fis_has_the_papers_phases_and_rounds) {
  const auto found = rank_list(list_of<std::uint32_t>("list:n=100000"), {.variant = "serial.fis", .rounds = 9});
  ASSERT_EQ(found.rounds.size(), 9u);
  EXPECT_EQ(found.rounds[0].elements, 100000u);
  for (std::size_t r = 1; r < 9; ++r) {  // an eighth leaves each round
    const double share = static_cast<double>(found.rounds[r].elements) / static_cast<double>(found.rounds[r - 1].elements);
    EXPECT_NEAR(share, 7. / 8, .02);
  }
  std::set<std::string_view> phases;
  for (const phase& p : found.report.phases) phases.insert(p.name);
  for (const std::string_view name : {"check", "reduce", "rank", "reinsert"}) EXPECT_TRUE(phases.contains(name)) << name;
}

TEST(memory, that_ends_is_a_typed_error_and_none_is_left_behind) {
  const auto successors = list_of<std::uint32_t>("lists:n=5000,count=7");
  const std::vector<std::int64_t> weights(successors.size(), 1);
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (!is_on_cpu(v)) continue;
    for (const bool weighted : {false, true}) {
      const auto failures = failures_of([&](auto* memory) {
        const rank_options options{.variant = v.name, .from = rank_origin::head};
        const execution on{.threads = 2, .memory = memory};
        if (weighted) {
          rank_list(successors, weights, rank_operation::sum, options, on);
        } else {
          rank_list(successors, options, on);
        }
      });
      EXPECT_GT(failures, 0u) << v.name;
      EXPECT_LT(failures, 100u) << v.name;
    }
  }
}

TEST(memory, of_helman_jaja_is_little_more_than_the_ranks) {
  const auto successors = list_of<std::uint32_t>("list:n=1000000");
  tracked_memory memory;
  rank_list(successors, {.variant = "threads.helman_jaja"}, {.threads = 4, .memory = &memory});
  EXPECT_LT(memory.peak_bytes(), 4'400'000u);
}

TEST(observer, that_asks_to_stop_is_heard) {
  struct impatient final : copse::observer {
    void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
    bool cancel_requested() const noexcept override { return true; }
  } watcher;
  const auto successors = list_of<std::uint32_t>("list:n=100000");
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (!is_on_cpu(v)) continue;
    EXPECT_THROW(rank_list(successors, {.variant = v.name}, {.threads = 2, .observer = &watcher}), cancelled) << v.name;
  }
}

}  // namespace
}  // namespace copse::test
