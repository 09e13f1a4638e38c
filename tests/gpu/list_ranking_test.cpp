// List ranking on a GPU: every size, weights, faults, memory that ends.
#include <copse/verify.hpp>
#include <core/random.hpp>
#include <list_ranking/cuda/gpu_ranker.hpp>

#include "gpu/gpu.hpp"
#include "gpu/plain_memory.hpp"
#include "list_ranking/lists.hpp"
#include "support/failing_memory.hpp"
#include "support/sweep_length.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

std::vector<std::string> names_on_gpu() {
  std::vector<std::string> names;
  for (const variant_info& v : variants(problem_kind::list_ranking)) {
    if (!is_on_cpu(v)) names.emplace_back(v.name);
  }
  return names;
}

list_ranking::gpu_job job_of(const std::string& name) {
  using list_ranking::list_algorithm;
  if (name == "cuda.wyllie") return {list_algorithm::wyllie};
  if (name == "cuda.helman_jaja") return {list_algorithm::helman_jaja};
  if (name == "cuda.helman_jaja_cpu") return {list_algorithm::helman_jaja, false, true};
  return {list_algorithm::fis, name == "hybrid.fis", false, 2};
}

class gpu_list_ranking : public ::testing::TestWithParam<std::string> {};

TEST_P(gpu_list_ranking, is_right_for_every_size) {
  COPSE_NEEDS_GPU();
  list_ranking::gpu_ranker ranker{0, nullptr};
  for (unsigned n = 1; n <= 1000; n += quick() ? 3 : 1) {
    const std::string size = std::to_string(n), seed = ",seed=" + size;
    for (const std::string& spec : {"list:n=" + size + seed, "lists:n=" + size + ",count=" + std::to_string(1 + n * 7 % n / 3) + seed}) {
      const auto successors = list_of<std::uint32_t>(spec);
      const auto resident = ranker.copy_in(successors);
      buffer<std::uint32_t> ranks{n, &ranker.memory()};
      for (const rank_origin from : both_origins) {
        list_ranking::list_settings tuning{.from = from, .rounds = n % 13, .splitters = n % 3 == 0 ? 0 : n / (1 + n % 7), .seed = n};
        if (n % 2 == 0) tuning.local_bits_at_most = 1 + n % 5;
        if (n % 5 < 3) tuning.notes_from = 0;
        list_ranking::list_outcome report;
        ranker.count(job_of(GetParam()), resident.span(), ranks.span(), tuning, report);
        std::vector<std::uint32_t> found(n);
        ranker.copy_out(ranks, found);
        ASSERT_EQ(found, expected_counts(successors, from)) << spec;
      }
    }
  }
}

TEST_P(gpu_list_ranking, is_right_for_large_lists) {
  COPSE_NEEDS_GPU();
  for (const std::string spec :
       {"list:n=3000000", "lists:n=3000000,count=70000", "lists:n=1000000,count=1000000", "ordered_list:n=3000001"}) {
    const auto successors = list_of<std::uint32_t>(spec);
    for (const rank_origin from : both_origins) {
      const auto result = rank_list(successors, {.variant = GetParam(), .from = from}, {.threads = 2});
      const auto found = verify_ranks(successors, result.ranks.span(), from);
      EXPECT_TRUE(found) << spec << ": " << found.reason;
      EXPECT_EQ(result.lists, found.lists);
      EXPECT_EQ(result.report.device, "cuda:0");
    }
  }
}

TEST_P(gpu_list_ranking, puts_weights_together) {
  COPSE_NEEDS_GPU();
  for (const unsigned n : {0u, 1u, 2u, 31u, 32u, 33u, 500u, 5000u, 100000u}) {
    const auto successors = list_of<std::uint64_t>("lists:n=" + std::to_string(n) + ",count=" + std::to_string((n + 99) / 100));
    std::vector<std::int64_t> weights(n);
    for (std::size_t e = 0; e < n; ++e) weights[e] = static_cast<std::int64_t>(random_stream{5, 9}.below(e, 2001)) - 1000;
    for (const rank_operation operation : {rank_operation::sum, rank_operation::min, rank_operation::max}) {
      for (const rank_origin from : both_origins) {
        const auto result = rank_list(successors, weights, operation, {.variant = GetParam(), .from = from}, {.threads = 2});
        const auto found = verify_ranks(successors, weights, operation, result.ranks.span(), from);
        EXPECT_TRUE(found) << n << ": " << found.reason;
      }
    }
  }
}

TEST_P(gpu_list_ranking, refuses_what_is_no_list) {
  COPSE_NEEDS_GPU();
  using list = std::vector<std::uint32_t>;
  std::vector<list> lists{{1, 3, 2}, {2, 2, 2}, {1, 1, 3, 3, 3}, {1, 2, 2, 1}, {1, 2, 3, 1, 4}, {1, 0}, {0, 2, 3, 1}, {4, 2, 1, 3, 4, 3}};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto broken = list_of<std::uint32_t>("lists:n=400,count=" + std::to_string(1 + seed % 3) + ",seed=" + std::to_string(seed));
    broken[seed % 400] = static_cast<std::uint32_t>(seed * 7 % 400);
    if (!thrown<list_error>([&] { rank_list(broken, {.variant = "serial.wyllie"}); }).empty()) lists.push_back(broken);
  }
  for (const list& broken : lists) {
    const std::vector<std::int64_t> weights(broken.size(), 0);
    const std::string expected = thrown<list_error>([&] { rank_list(broken, {.variant = "serial.wyllie"}); });
    for (const rank_origin from : both_origins) {
      for (const std::uint64_t splitters : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{broken.size()}}) {
        const rank_options options{.variant = GetParam(), .from = from, .rounds = 5, .splitters = splitters};
        const execution on{.threads = 2};
        ASSERT_EQ(thrown<list_error>([&] { rank_list(broken, options, on); }), expected) << splitters;
        ASSERT_EQ(thrown<list_error>([&] { rank_list(broken, weights, rank_operation::max, options, on); }), expected) << splitters;
      }
    }
  }
}

/// Walks that mark where they were and walks that note it; and so many sublists that only some of them jump.
TEST(gpu_lists, both_kinds_of_walks_rank_large_lists) {
  COPSE_NEEDS_GPU();
  list_ranking::gpu_ranker ranker{0, nullptr};
  for (const std::string spec :
       {"list:n=3000000", "lists:n=3000000,count=70000", "lists:n=1000000,count=1000000", "ordered_list:n=3000001"}) {
    const auto successors = list_of<std::uint32_t>(spec);
    const auto resident = ranker.copy_in(successors);
    buffer<std::uint32_t> ranks{successors.size(), &ranker.memory()};
    for (const rank_origin from : both_origins) {
      for (const std::uint64_t splitters : {300u, 50000u, 900000u}) {
        for (const std::uint64_t notes_from : {std::uint64_t{0}, UINT64_MAX}) {
          list_ranking::list_outcome report;
          ranker.count({list_ranking::list_algorithm::helman_jaja}, resident.span(), ranks.span(),
                       {.from = from, .splitters = splitters, .notes_from = notes_from}, report);
          std::vector<std::uint32_t> found(successors.size());
          ranker.copy_out(ranks, found);
          const auto proof = verify_ranks(std::span<const std::uint32_t>{successors}, std::span<const std::uint32_t>{found}, from);
          EXPECT_TRUE(proof) << spec << ", " << splitters << " splitters: " << proof.reason;
        }
      }
    }
  }
}

TEST(gpu_lists, noted_visits_end_in_what_is_no_list) {
  COPSE_NEEDS_GPU();
  list_ranking::gpu_ranker ranker{0, nullptr};
  unsigned broken_lists = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    auto broken = list_of<std::uint32_t>("lists:n=4000,count=" + std::to_string(1 + seed % 3) + ",seed=" + std::to_string(seed));
    broken[seed * 13 % 4000] = static_cast<std::uint32_t>(seed * 7919 % 4000);
    if (thrown<list_error>([&] { rank_list(broken, {.variant = "serial.wyllie"}); }).empty()) continue;
    ++broken_lists;
    const auto resident = ranker.copy_in(broken);
    buffer<std::uint32_t> ranks{broken.size(), &ranker.memory()};
    for (const std::uint64_t splitters : {0u, 1u, 30u, 4000u}) {
      list_ranking::list_outcome report;
      const list_ranking::list_settings tuning{.splitters = splitters, .notes_from = 0};
      const list_ranking::gpu_job job{list_ranking::list_algorithm::helman_jaja};
      EXPECT_THROW(ranker.count(job, resident.span(), ranks.span(), tuning, report), list_ranking::broken_list) << seed << ' ' << splitters;
    }
  }
  EXPECT_GT(broken_lists, 200u);
}

TEST(gpu_lists, weights_are_put_together_over_many_sublists) {
  COPSE_NEEDS_GPU();
  const auto successors = list_of<std::uint32_t>("lists:n=600000,count=90");
  std::vector<std::int64_t> weights(successors.size());
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = static_cast<std::int64_t>(random_stream{5, 9}.below(e, 2001)) - 1000;
  for (const rank_operation operation : {rank_operation::sum, rank_operation::min, rank_operation::max}) {
    for (const rank_origin from : both_origins) {
      const auto result = rank_list(successors, weights, operation, {.variant = "cuda.helman_jaja", .from = from, .splitters = 500000});
      const auto found = verify_ranks(successors, weights, operation, result.ranks.span(), from);
      EXPECT_TRUE(found) << found.reason;
    }
  }
}

/// With as many sublists as elements, a cycle of elements is one of sublists, with anchors on it or too short for one.
TEST(gpu_lists, cycles_of_many_sublists_are_found) {
  COPSE_NEEDS_GPU();
  list_ranking::gpu_ranker ranker{0, nullptr};
  constexpr std::uint32_t n = 600000;
  for (const std::uint32_t length : {2u, 7u, 100u, 50000u}) {
    for (const std::uint64_t notes_from : {std::uint64_t{0}, UINT64_MAX}) {
      auto broken = list_of<std::uint32_t>("ordered_list:n=" + std::to_string(n));
      broken[n / 2 - 1] = n / 2 + length;
      broken[n / 2 + length - 1] = n / 2;
      const auto resident = ranker.copy_in(broken);
      buffer<std::uint32_t> ranks{n, &ranker.memory()};
      list_ranking::list_outcome report;
      const list_ranking::list_settings tuning{.splitters = n, .notes_from = notes_from};
      EXPECT_THROW(ranker.count({list_ranking::list_algorithm::helman_jaja}, resident.span(), ranks.span(), tuning, report),
                   list_ranking::broken_list)
          << length;
    }
  }
}

TEST_P(gpu_list_ranking, memory_that_ends_is_a_typed_error) {
  COPSE_NEEDS_GPU();
  const auto successors = list_of<std::uint32_t>("lists:n=5000,count=7");
  plain_gpu_memory pool;
  failing_memory source{&pool};
  list_ranking::gpu_ranker ranker{0, nullptr, 0, &source};
  const auto resident = ranker.copy_in(successors);
  buffer<std::uint32_t> ranks{successors.size(), &ranker.memory()};
  for (const std::uint64_t notes_from : {0u, 5001u}) {
    const auto failures = failures_of(source, ranker.memory(), [&] {
      list_ranking::list_outcome report;
      ranker.count(job_of(GetParam()), resident.span(), ranks.span(),
                   {.from = rank_origin::head, .rounds = 3, .splitters = 50, .notes_from = notes_from}, report);
    });
    EXPECT_LT(failures, 100u);
  }
}

TEST_P(gpu_list_ranking, of_fis_tells_of_its_rounds) {
  COPSE_NEEDS_GPU();
  const auto result = rank_list(list_of<std::uint32_t>("list:n=1000000"), {.variant = GetParam(), .rounds = 9}, {.threads = 2});
  if (!GetParam().ends_with("fis")) {
    EXPECT_TRUE(result.rounds.empty());
    return;
  }
  ASSERT_EQ(result.rounds.size(), 9u);
  for (std::size_t r = 0; r < 9; ++r) {
    const rank_round& round = result.rounds[r];
    EXPECT_EQ(round.generate_seconds > 0 && round.transfer_seconds > 0, GetParam() == "hybrid.fis");
    EXPECT_GT(round.remove_seconds, 0);
    if (r == 0) continue;
    EXPECT_NEAR(static_cast<double>(round.elements) / static_cast<double>(result.rounds[r - 1].elements), 7. / 8, .02);
  }
}

INSTANTIATE_TEST_SUITE_P(gpu, gpu_list_ranking, testing::ValuesIn(names_on_gpu()), [](const auto& of) {
  std::string name = of.param;
  name[name.find('.')] = '_';
  return name;
});

TEST(gpu_lists, a_hundred_million_elements_are_ranked) {
  COPSE_NEEDS_GPU();
  if (quick()) GTEST_SKIP() << "the long run has it (COPSE_SWEEP unset)";
  const auto generated = gen::generate_list("list:n=100000000");
  const auto& successors = std::get<buffer<std::uint32_t>>(generated);
  const auto result = rank_list(successors.span(), {}, {.device = "cuda"});
  EXPECT_EQ(result.report.variant, "cuda.helman_jaja");
  const auto found = verify_ranks(successors.span(), std::as_const(result.ranks).span(), rank_origin::end);
  EXPECT_TRUE(found) << found.reason;
}

}  // namespace
}  // namespace copse::test
