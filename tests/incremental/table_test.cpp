// The table of incremental connectivity: how many variants, that the paper's 43 are among them, and a reason for everything that is none.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "incremental/backends.hpp"

namespace copse::test {
namespace {

std::ptrdiff_t variant_count(std::string_view backend) {
  return std::ranges::count(variants(problem_kind::incremental), backend, &variant_info::backend);
}

/// Hong, Dhulipala and Shun's, without backend and sampler.
std::vector<std::string> variants_of_the_gconn_paper() {
  const std::vector<std::string> finds{"naive", "compress", "split", "halve"};
  std::vector<std::string> names{"jtb.naive", "jtb.two_try_split", "shiloach_vishkin"};
  for (const std::string unite : {"async", "hooks", "early"}) {
    for (const auto& find : finds) names.push_back(unite + "." + find);
  }
  for (const std::string unite : {"rem_cas", "rem_lock"}) {
    for (const auto& find : finds) {
      for (const std::string splice : {"halve_one", "split_one", "splice_atomic"}) {
        if (find != "compress" || splice != "splice_atomic") names.push_back(unite + "." + find + "." + splice);
      }
    }
  }
  for (const std::string rule : {"CRSA", "PRSA", "PRS", "CRFA", "PRFA", "PRF"}) names.push_back("liu_tarjan." + rule);
  return names;
}

TEST(incremental_table, has_exactly_these_variants) {
  EXPECT_EQ(variants_of_the_gconn_paper().size(), 43u);
  // Ours beside the paper's: ecl with its own find and four others, afforest; on one thread sequential rem and union_find.
  EXPECT_EQ(variant_count("threads"), 43 + 5 + 1 + 1);
  EXPECT_EQ(variant_count("serial"), 43 + 5 + 1 + 2 + 1);
  EXPECT_EQ(variant_count("cuda"), built_with_cuda() ? 43 + 5 + 1 + 1 : 0);
  EXPECT_EQ(variants(problem_kind::incremental).size(), 50u + 52u + (built_with_cuda() ? 50u : 0u));
}

TEST(incremental_table, has_the_43_of_the_gconn_paper_on_every_backend) {
  std::vector<std::string> backends{"serial", "threads"};
  if (built_with_cuda()) backends.push_back("cuda");
  for (const auto& backend : backends) {
    for (const auto& name : variants_of_the_gconn_paper()) EXPECT_EQ(incremental_refusal(backend + ".none." + name), std::nullopt) << name;
  }
}

TEST(incremental_table, names_are_unique_and_run) {
  std::set<std::string> names;
  for (const auto& variant : variants(problem_kind::incremental)) {
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    EXPECT_EQ(variant.problem, problem_kind::incremental);
    EXPECT_EQ(variant.sampler, "none");
    if (!has_device_of(variant)) {
      EXPECT_THROW((incremental{{.variant = variant.name, .vertices = 3}}), resource_error);
      continue;
    }
    EXPECT_EQ((incremental{{.variant = variant.name, .vertices = 3}, {.threads = 2}}).variant().name, variant.name);
  }
  EXPECT_EQ((incremental{{}, {.threads = 1}}).variant().name, "serial.none.fast");
  EXPECT_EQ((incremental{{}, {.threads = 2}}).variant().name, "threads.none.fast");
  EXPECT_THROW((incremental{{.variant = "threads.none.fast"}, {.device = "cuda:0"}}), usage_error);
}

void expect_refused(const std::string& name, std::string_view because, mixing mode = mixing::phased) {
  const auto reason = incremental_refusal(name, mode);
  ASSERT_TRUE(reason.has_value()) << name;
  EXPECT_NE(reason->find(because), std::string::npos) << *reason;
  if (mode == mixing::phased) {
    EXPECT_THROW((incremental{{.variant = name, .vertices = 1}}), usage_error) << name;
  }
}

TEST(incremental_table, what_is_no_variant_has_its_reason) {
  expect_refused("threads.none.rem_cas.compress.splice_atomic", "moved below that root's tree");
  expect_refused("threads.none.rem", "for one thread only");
  expect_refused("threads.none.liu_tarjan.PUS", "not root-based");
  expect_refused("threads.none.stergiou", "not root-based");
  expect_refused("serial.none.label_propagation", "not root-based");
  expect_refused("serial.none.liu_tarjan.CRS", "original ends");
  expect_refused("threads.stages.async.naive", "not sampled");
  expect_refused("threads.kout.async.naive", "not sampled");
  expect_refused("cuda.none.rem", built_with_cuda() ? "for one thread only" : "no GPU part");
  expect_refused("cuda.hb.fast", built_with_cuda() ? "not sampled" : "no GPU part");
  expect_refused("serial.none.dfs", "a batch of edges does not have");
  for (const std::string whole : {"cc", "sv", "soman", "segments", "rem_verify", "cc_sort"}) {
    expect_refused("threads.none." + whole, "passes go over a whole graph");
  }
  expect_refused("gpu.none.async.naive", "unknown backend");
  expect_refused("threads.none.nothing", "unknown finish");
  expect_refused("threads.none.async", "unknown find");
}

TEST(incremental_table, concurrent_queries_are_refused_where_no_moment_has_their_answer) {
  constexpr auto concurrent = mixing::concurrent;
  expect_refused("threads.none.rem_cas.naive.splice_atomic", "insert first, then query", concurrent);
  expect_refused("threads.none.rem_lock.halve.splice_atomic", "insert first, then query", concurrent);
  expect_refused("threads.none.shiloach_vishkin", "insert first, then query", concurrent);
  expect_refused("serial.none.liu_tarjan.PRF", "insert first, then query", concurrent);
  EXPECT_EQ(incremental_refusal("serial.none.rem_cas.naive.splice_atomic", concurrent), std::nullopt)
      << "one thread does one thing after the other";
  EXPECT_EQ(incremental_refusal("serial.none.rem", concurrent), std::nullopt);
  std::ptrdiff_t able = 0;
  for (const auto& variant : variants(problem_kind::incremental))
    able += !incremental_refusal(variant.name, concurrent) && variant.backend != "serial";
  EXPECT_EQ(able, (50 - 7 - 6) * (built_with_cuda() ? 2 : 1)) << "all but rounds and splice_atomic";
  if (built_with_cuda()) expect_refused("cuda.none.rem_lock.naive.splice_atomic", "insert first, then query", concurrent);

  incremental live{{.variant = "threads.none.rem_cas.naive.splice_atomic", .vertices = 4}, {.threads = 2}};
  const edge<std::uint32_t> pair{0, 1};
  const operation query = operation::query;
  EXPECT_THROW(static_cast<void>(live.apply(std::span{&pair, 1}, {&query, 1}, concurrent)), usage_error);
  EXPECT_EQ(live.apply(std::span{&pair, 1}, {&query, 1}).size(), 1u);
}

TEST(incremental_table, a_forest_is_refused_where_no_edge_makes_a_link) {
  for (const std::string name :
       {"threads.none.shiloach_vishkin", "serial.none.liu_tarjan.CRSA", "threads.none.rem_cas.naive.splice_atomic"}) {
    EXPECT_THROW((incremental{{.variant = name, .record_forest = true, .vertices = 1}}), usage_error) << name;
  }
  EXPECT_NO_THROW((incremental{{.variant = "serial.none.rem", .record_forest = true, .vertices = 1}}));
}

}  // namespace
}  // namespace copse::test
