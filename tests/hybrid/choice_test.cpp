// How much the CPU gets: by the table, by the GPU's memory; and what hybrid names are refused.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <hybrid/named.hpp>
#include <hybrid/needs.hpp>
#include <hybrid/solve.hpp>

#include <string>
#include <vector>

namespace copse::test {
namespace {

using hybrid::bytes_needed;
using hybrid::cut_that_fits;
using hybrid::rest_sizes;

/// Four arcs per vertex unless stated.
graph_profile looks(unsigned log_vertices, double scattered = 1, unsigned log_arcs = 0) {
  return {std::uint64_t{1} << log_vertices, std::uint64_t{1} << (log_arcs != 0 ? log_arcs : log_vertices + 2), scattered};
}
const std::vector<share_point> points{{.looks = looks(18), .share = 20, .cpu_seconds = 4, .gpu_seconds = 1, .both_seconds = .8},
                                      {.looks = looks(20), .share = 40, .cpu_seconds = 4, .gpu_seconds = 3, .both_seconds = 2},
                                      {.looks = looks(20, 0), .share = 70, .cpu_seconds = 1, .gpu_seconds = 3, .both_seconds = 2},
                                      {.looks = looks(20, 1, 25), .share = 60, .cpu_seconds = 2, .gpu_seconds = 9, .both_seconds = 1.95},
                                      {.looks = looks(24), .share = 50, .cpu_seconds = 9, .gpu_seconds = 2, .both_seconds = 3}};

TEST(share_table, says_at_a_point_what_was_measured_there) {
  EXPECT_DOUBLE_EQ(choose_share(points, false, looks(18)).share, 20);
  EXPECT_DOUBLE_EQ(choose_share(points, false, looks(20)).share, 40);
  EXPECT_DOUBLE_EQ(choose_share(points, false, looks(20, 0)).share, 100) << "an order in which the CPU is faster";
  EXPECT_DOUBLE_EQ(choose_share(points, false, looks(20, 1, 25)).share, 100) << "a gain of less than a twentieth is none";
  EXPECT_DOUBLE_EQ(choose_share(points, false, looks(24)).share, 0);
  EXPECT_EQ(choose_share(points, false, looks(20)).reason, "both sides together (the table says CPU 4e+03 ms, GPU 3e+03, both 2e+03)");
}

TEST(share_table, interpolates_between_points) {
  const double between = choose_share(points, false, looks(19)).share;
  EXPECT_GT(between, 20);
  EXPECT_LT(between, 40);
  EXPECT_DOUBLE_EQ(choose_share(points, false, looks(20, .1)).share, 100) << "nearer to the one in order";
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
    const auto far = choose_share(points, false, {n, 7 * n, .5});
    EXPECT_GE(far.share, 0);
    EXPECT_LE(far.share, 100);
  }
}

TEST(share_table, follows_the_size_whatever_lies_beside_the_small_ones) {
  const auto point = [](graph_profile at, double cpu, double gpu) {
    return share_point{.looks = at, .share = 50, .cpu_seconds = cpu, .gpu_seconds = gpu, .both_seconds = 99};
  };
  const std::vector<share_point> sizes{point(looks(18), 1, 1), point(looks(22), 16, 4), point(looks(18, .9), .05, 1),
                                       point(looks(18, .8), .05, 1)};
  EXPECT_EQ(choose_share(sizes, false, looks(20)).share, 0) << "the CPU takes twice as long there";
  EXPECT_EQ(choose_share(sizes, false, looks(18, .85)).share, 100);
}

TEST(share_table, without_points_one_side_is_alone) {
  EXPECT_EQ(choose_share({}, false, looks(10)).share, 100);
  EXPECT_EQ(choose_share({}, true, looks(10)).share, 0);
  EXPECT_NO_THROW(static_cast<void>(shipped_shares("no such GPU", 3)));
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
  EXPECT_EQ(why("hybrid.bfs.hb.fast"), "hybrid.bfs.hb.fast: unknown CPU part 'bfs'; known: auto, dfs, fast");
  EXPECT_EQ(why("hybrid.fast.none.rem"),
            "hybrid.fast.none.rem: cuda.none.rem: it is for one thread only: between its load and its store nothing may change");
  EXPECT_EQ(why("hybrid.fast.none.soman"), "none") << "on the list of the edges of its rows";
  EXPECT_EQ(refusal("hybrid.auto", input_kind::csr, problem_kind::forest).value_or(""),
            "hybrid.auto: the CPU and a GPU together find components only");
  EXPECT_EQ(hybrid_names().size(), 2u * (446u + 85u)) << "on rows, and on lists only";
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
