// How much the CPU gets: by the model, by the GPU's memory; and what hybrid names are refused.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <hybrid/named.hpp>
#include <hybrid/share_model.hpp>
#include <hybrid/solve.hpp>

#include <string>
#include <vector>

namespace copse::test {
namespace {

using hybrid::bytes_needed;
using hybrid::cut_that_fits;
using hybrid::rest_sizes;

using hybrid::cpu_part;
using hybrid::modelled_share;
using hybrid::modelled_solve;

/// A graph of three million vertices whose arcs are all scattered, in host memory, on 16 threads.
modelled_solve scattered_graph() { return {.vertices = 3'000'000, .arcs = 12'000'000, .threads = 16}; }

double share_of(const modelled_solve& solve) { return modelled_share(solve).share; }

TEST(share_model, gives_the_cpu_a_few_percent_of_a_random_graph) {
  const auto chosen = modelled_share(scattered_graph());
  EXPECT_NEAR(chosen.share, 6.83, .01);
  EXPECT_EQ(chosen.reason, "both sides together (the model says CPU alone 11.2 ms, GPU alone 2.3)");
  auto by_dfs = scattered_graph();
  by_dfs.part = cpu_part::dfs;
  EXPECT_LT(share_of(by_dfs), chosen.share) << "the CPU is slower";
  EXPECT_GT(share_of(by_dfs), 0);
}

TEST(share_model, one_side_is_alone_where_sharing_does_not_pay) {
  auto solve = scattered_graph();
  solve.scattered = 0;
  EXPECT_EQ(share_of(solve), 100) << "an order in which the CPU is faster";
  solve = scattered_graph();
  solve.vertices = 500'000;
  EXPECT_EQ(share_of(solve), 0) << "a small graph";
  solve.vertices = 50'000'000;
  EXPECT_EQ(share_of(solve), 0) << "a large graph";
  solve = scattered_graph();
  solve.arcs *= 40;
  EXPECT_EQ(share_of(solve), 100) << "more arcs to copy than the CPU has to read";
  solve = scattered_graph();
  solve.resident = true;
  EXPECT_EQ(share_of(solve), 0);
}

TEST(share_model, follows_threads_and_scattered_arcs) {
  double before = 0;
  for (const unsigned threads : {1u, 2u, 4u, 16u, 64u, 1024u}) {
    auto solve = scattered_graph();
    solve.threads = threads;
    EXPECT_GT(share_of(solve), before);
    before = share_of(solve);
  }
  EXPECT_EQ(before, 100);
  for (const double scattered : {0., .01, .1, .5, 1.}) {
    auto solve = scattered_graph();
    solve.scattered = scattered;
    EXPECT_LE(share_of(solve), before);
    before = share_of(solve);
  }
}

TEST(share_model, is_a_percentage_for_every_graph) {
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3'000'000}, std::uint64_t{1} << 40}) {
    for (const double scattered : {0., .5, 1.}) {
      const double share = share_of({.vertices = n, .arcs = 7 * n, .scattered = scattered});
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 100);
    }
  }
}

/// A graph of four arcs per vertex.
std::uint64_t cut_for(std::uint64_t bytes, std::uint64_t least = 0, bool resident = false, bool keeps = false) {
  constexpr std::uint64_t n = 1000000;
  return cut_that_fits({n, 0, 0, 4, 8, resident, keeps}, least, bytes, [](std::uint64_t cut) { return 4 * (n - cut); });
}

TEST(hybrid_memory, what_does_not_fit_goes_to_the_cpu) {
  EXPECT_EQ(cut_for(UINT64_MAX), 0u);
  EXPECT_EQ(cut_for(UINT64_MAX, 250000), 250000u);
  EXPECT_EQ(cut_for(28254100), 0u);  // rows 20,000,004, what the variant needs, 8 per vertex, and scratch 254,096
  EXPECT_GT(cut_for(28254099), 0u);
  EXPECT_EQ(cut_for(0), 1000000u);
  EXPECT_EQ(cut_for(3999999, 0, true), 1000000u);
  std::uint64_t before = 0;
  for (std::uint64_t bytes = 28254099; bytes > 100000; bytes /= 2) {
    const std::uint64_t cut = cut_for(bytes);
    EXPECT_GE(cut, before);
    const auto needs = [](std::uint64_t at) { return bytes_needed({1000000, at, 4 * (1000000 - at), 4, 8, false}); };
    EXPECT_LE(needs(cut), bytes);
    EXPECT_GT(needs(cut - 1), bytes) << "one vertex fewer would have done";
    before = cut;
  }
}

TEST(hybrid_memory, of_a_gpu_part_that_keeps_its_arcs_holds_them_once) {
  EXPECT_EQ(cut_for(28254100, 0, false, true), 0u);
  // Offsets 4,000,004, what the variant needs 8,000,000; 2,000,000 given by the CPU, half the rows 10,000,004, and scratch 129,096.
  EXPECT_EQ(cut_for(24129104, 400000, false, true), 500000u);
  EXPECT_LT(cut_for(24129104, 400000, false, true), cut_for(24129104, 400000, false, false)) << "rows lie there twice";
  EXPECT_EQ(cut_for(12000000, 0, false, true), 1000000u) << "which all vertices take";
  EXPECT_EQ(cut_for(13000000, 400000, true, true), 1000000u) << "rows that are there already go nowhere";
  EXPECT_LT(cut_for(12000000, 0, false, false), 1000000u);
}

TEST(hybrid_names, are_refused_with_a_reason) {
  const auto why = [](const std::string& name) { return refusal(name, input_kind::csr).value_or("none"); };
  EXPECT_TRUE(is_hybrid("hybrid.auto"));
  EXPECT_FALSE(is_hybrid("hybrid"));
  if (!built_with_cuda()) {
    EXPECT_EQ(why("hybrid.fast.hb.fast"), "hybrid.fast.hb.fast: this build has no GPU part");
    EXPECT_TRUE(hybrid_names().empty());
    EXPECT_THROW(components(graph_view{csr_view<std::uint32_t, std::uint32_t>{}}, {.variant = "hybrid.auto"}), usage_error);
    return;
  }
  EXPECT_EQ(why("hybrid.auto"), "none");
  EXPECT_EQ(why("hybrid.dfs.hb.fast"), "none");
  EXPECT_EQ(why("hybrid.bfs.hb.fast"), "hybrid.bfs.hb.fast: unknown CPU part 'bfs'; known: auto, dfs, pieces, fast");
  EXPECT_EQ(why("hybrid.fast.none.rem"),
            "hybrid.fast.none.rem: cuda.none.rem: it is for one thread only: between its load and its store nothing may change");
  EXPECT_EQ(why("hybrid.fast.none.soman"), "none") << "on the list of the edges of its rows";
  EXPECT_EQ(refusal("hybrid.auto", input_kind::csr, problem_kind::forest).value_or(""),
            "hybrid.auto: the CPU and a GPU together find components only");
  EXPECT_EQ(hybrid_names().size(), 3u * (446u + 85u)) << "on rows, and on lists only";
  for (const auto& name : hybrid_names()) EXPECT_EQ(why(name), "none") << name;
}

TEST(hybrid_names, are_the_two_variants_they_name) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const graph_view none = csr_view<std::uint32_t, std::uint32_t>{};
  const auto chosen = hybrid::hybrid_variant_named("hybrid.dfs.kout.afforest", none);
  EXPECT_EQ(chosen.part, hybrid::cpu_part::dfs);
  EXPECT_EQ(chosen.gpu->info.name, "cuda.kout.afforest");
  EXPECT_TRUE(hybrid::hybrid_variant_named("hybrid.auto", none).name.starts_with("hybrid.fast."));
  EXPECT_THROW(static_cast<void>(hybrid::hybrid_variant_named("cuda.none.fast", none)), usage_error);
}

}  // namespace
}  // namespace copse::test
