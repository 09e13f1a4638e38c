// The CPU and a real GPU together. What is not of the GPU is tested with threads in its place (tests/hybrid).
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/hybrid.hpp>
#include <copse/labels.hpp>

#include <string>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

const std::vector<std::string> some_variants{
    "hybrid.fast.hb.fast",      "hybrid.dfs.none.fast",          "hybrid.auto",
    "hybrid.dfs.kout.afforest", "hybrid.fast.none.async.halve",  "hybrid.dfs.none.ecl_cc",
    "hybrid.dfs.none.soman",    "hybrid.fast.hb.liu_tarjan.PUS", "hybrid.dfs.none.rem_cas.naive.split_one",
    "hybrid.pieces.none.soman"};

cross_rule rule_number(unsigned k) { return static_cast<cross_rule>(k % cross_rule_names.size()); }

const buffer<id>& labels_in(const labelling& labels) { return std::get<buffer<id>>(labels.labels()); }

const graph& mixed() {
  static const graph g = build_csr(gen::generate("rmat:scale=15,edges=8"));
  return g;
}
std::uint64_t answer_of(const graph& g) { return checksum(components(g, {.variant = "serial.none.rem"}).labels); }

TEST(gpu_hybrid, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.auto"}), resource_error);
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.fast.hb.fast", .hybrid = {.share = 100}}), resource_error);
}

TEST(gpu_hybrid, refuses_what_it_cannot_solve) {
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.none.hb.fast"}), usage_error);
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.fast.hb.fast", .count = true}), usage_error);
  EXPECT_THROW(components(mixed(), {.variant = "threads.none.ecl"}, {.device = "hybrid"}), usage_error);
  COPSE_NEEDS_GPU();
  EXPECT_THROW(components(graph_view{csr_view<std::uint64_t, std::uint64_t>{}}, {.variant = "hybrid.auto"}), usage_error);
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.auto", .hybrid = {.share = 100.5}}), usage_error);
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.fast.none.bfs_cc", .hybrid = {.share = 50, .cross = cross_rule::keep}}),
               usage_error);
  EXPECT_THROW(components(mixed(), {.variant = "hybrid.pieces.none.soman", .hybrid = {.share = 50, .cross = cross_rule::keep}}),
               usage_error);
  const auto resident = gpu_graph::copy_of(mixed().view());
  EXPECT_THROW(static_cast<void>(components(resident, {.variant = "hybrid.auto"})), usage_error);
  EXPECT_THROW(static_cast<void>(components(resident, mixed().view(), {.variant = "cuda.hb.fast", .hybrid = {.share = 10}})), usage_error);
}

TEST(gpu_hybrid, every_share_of_every_animal) {
  COPSE_NEEDS_GPU();
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::simple);
    const auto resident = gpu_graph::copy_of(rows.view());
    for (unsigned share = 0; share <= 100; ++share) {
      const std::string& variant = some_variants[share % some_variants.size()];
      const bool may_keep = !variant.starts_with("hybrid.pieces.");
      const hybrid_options how{.share = share, .cross = may_keep ? rule_number(share) : cross_rule::min_label};
      const auto from_host = components(graph_view{rows.view()}, {.variant = variant, .hybrid = how});
      ASSERT_TRUE(same_labels(labels_in(from_host.labels), g)) << variant << ", " << share << " % from host, " << g.name;
      const auto on_gpu = components(resident, rows.view(), {.variant = variant, .hybrid = how}).copy_out();
      ASSERT_TRUE(same_labels(labels_in(on_gpu), g)) << variant << ", " << share << " % on the GPU, " << g.name;
    }
  }
}

TEST(gpu_hybrid, rows_in_any_order_wide_offsets_and_one_direction) {
  COPSE_NEEDS_GPU();
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    const auto raw = make_test_rows<id, std::uint64_t>(g.edges.view(), row_state::raw);
    const auto one_sided = make_test_rows<id, id>(g.edges.view(), row_state::one_sided);
    for (const double share : {0., 1., 33., 50., 99., 100.}) {
      const auto of_raw = components(graph_view{raw.view()}, {.variant = "hybrid.fast.none.fast", .hybrid = {.share = share}});
      ASSERT_TRUE(same_labels(labels_in(of_raw.labels), g)) << share << " %, raw " << g.name;
      const auto of_half = components(graph_view{one_sided.view()}, {.variant = "hybrid.dfs.hb.fast", .hybrid = {.share = share}});
      ASSERT_TRUE(same_labels(labels_in(of_half.labels), g)) << share << " %, one direction " << g.name;
      const auto of_list = components(graph_view{g.edges.view()}, {.variant = "hybrid.auto", .hybrid = {.share = share}});
      ASSERT_TRUE(same_labels(labels_in(of_list.labels), g)) << share << " %, list " << g.name;
    }
  }
}

TEST(gpu_hybrid, long_rows_and_many_pairs) {
  COPSE_NEEDS_GPU();
  for (const char* spec :
       {"star:n=300000", "star:n=300000,shuffle=1", "rmat:scale=17,edges=16", "er:n=200000,m=150000", "grid2d:side=400,shuffle=1",
        "clusters:n=300000,size=20,shuffle=1", "path:n=200000,shuffle=1", "complete:n=1500", "web:n=100000,degree=16"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto expected = answer_of(g);
    const auto resident = gpu_graph::copy_of(g.view());
    for (const double share : {.5, 20., 50., 97.}) {
      for (const auto& variant : {some_variants[0], some_variants[1], some_variants.back()}) {
        for (const auto rule : {cross_rule::keep, cross_rule::unite, cross_rule::min_label}) {
          if (rule == cross_rule::keep && variant.starts_with("hybrid.pieces.")) continue;
          const auto solved = components(g, {.variant = variant, .hybrid = {.share = share, .cross = rule}});
          ASSERT_EQ(checksum(solved.labels), expected) << variant << ", " << share << " %, " << spec;
          const auto on_gpu = components(resident, g.view(), {.variant = variant, .hybrid = {.share = share, .cross = rule}});
          ASSERT_EQ(checksum(on_gpu), expected) << variant << ", " << share << " %, " << spec;
          if (rule == cross_rule::unite && variant.starts_with("hybrid.dfs")) {
            const auto again =
                components(g, {.variant = variant, .hybrid = {.share = share, .cross = cross_rule::min_label}}).report.hybrid;
            EXPECT_EQ(solved.report.hybrid->super_edges, again->super_edges) << spec;
          }
        }
      }
    }
  }
}

TEST(gpu_hybrid, tells_what_each_side_did) {
  COPSE_NEEDS_GPU();
  const auto solved =
      components(mixed(), {.variant = "hybrid.dfs.hb.fast", .hybrid = {.share = 40, .cross = cross_rule::unite}}, {.threads = 2});
  const auto& report = solved.report;
  ASSERT_TRUE(report.hybrid.has_value());
  EXPECT_EQ(report.variant, "hybrid.dfs.hb.fast");
  EXPECT_EQ(report.device, "cpu+cuda:0");
  EXPECT_EQ(report.hybrid->cpu_vertices, mixed().vertices() * 40 / 100);
  EXPECT_GT(report.hybrid->cpu_seconds, 0);
  EXPECT_GT(report.hybrid->gpu_seconds, 0);
  EXPECT_GT(report.hybrid->cross_seconds, 0);
  EXPECT_GT(report.hybrid->cross_arcs, 0u);
  EXPECT_GT(report.hybrid->super_edges, 0u);
  EXPECT_LE(report.hybrid->super_edges, report.hybrid->cross_arcs);
  EXPECT_GE(report.solve_seconds, std::max(report.hybrid->cpu_seconds, report.hybrid->gpu_seconds));
  const auto phases_of = [](const solve_report& of) {
    std::vector<std::string_view> phases;
    for (const phase& p : of.phases) phases.push_back(p.name);
    return phases;
  };
  EXPECT_EQ(phases_of(report), (std::vector<std::string_view>{"copy in", "cpu part", "copy labels in", "split", "gpu part", "contract",
                                                              "join", "labels", "copy out"}));
  const auto kept = components(mixed(), {.variant = "hybrid.dfs.hb.fast", .hybrid = {.share = 40}}, {.threads = 2}).report;
  EXPECT_EQ(kept.hybrid->cross, cross_rule::keep);
  EXPECT_EQ(phases_of(kept),
            (std::vector<std::string_view>{"copy in", "cpu part", "copy labels in", "split", "gpu part", "join", "copy out"}));
  EXPECT_FALSE(components(mixed(), {.variant = "hybrid.auto"}).report.hybrid->reason.empty());
}

TEST(gpu_hybrid, what_does_not_fit_goes_to_the_cpu) {
  COPSE_NEEDS_GPU();
  const auto expected = answer_of(mixed());
  for (const std::uint64_t bytes : {std::uint64_t{64} << 20, std::uint64_t{2} << 20, std::uint64_t{1} << 20, std::uint64_t{1} << 19,
                                    std::uint64_t{1} << 18, std::uint64_t{1000}, std::uint64_t{0}}) {
    for (const char* variant : {"hybrid.fast.hb.fast", "hybrid.dfs.bfs.cc", "hybrid.fast.kout_maxdeg.jtb.naive"}) {
      const auto solved = components(mixed(), {.variant = variant, .hybrid = {.share = 0}}, {.gpu_memory = bytes});
      ASSERT_EQ(checksum(solved.labels), expected) << bytes << " bytes, " << variant;
      const std::uint64_t found = solved.report.hybrid->cpu_vertices;
      if (bytes == 64 << 20) {
        EXPECT_EQ(found, 0u) << variant;
      } else if (bytes < 2000) {
        EXPECT_EQ(found, mixed().vertices()) << variant;
      } else if (bytes <= 1 << 20) {
        EXPECT_GT(found, 0u) << variant << ": the rows alone are more";
      }
    }
  }
}

TEST(gpu_hybrid, every_variant_keeps_cross_arcs) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"er:n=3000,m=4000", "rmat:scale=11,edges=6", "path:n=2000,shuffle=1", "clusters:n=3000,size=20,shuffle=1"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto expected = answer_of(g);
    const auto resident = gpu_graph::copy_of(g.view());
    for (const auto& name : hybrid_names()) {
      if (!name.starts_with("hybrid.fast.")) continue;
      const bool both_directions = name.ends_with(".bfs_cc") || name.ends_with(".ligra");
      const auto solved = components(resident, g.view(), {.variant = name, .hybrid = {.share = 35}}, {.threads = 1});
      ASSERT_EQ(checksum(solved), expected) << name << ", " << spec;
      ASSERT_EQ(solved.report().hybrid->cross, both_directions ? cross_rule::unite : cross_rule::keep) << name;
    }
  }
}

TEST(gpu_hybrid, of_a_graph_on_the_gpu_needs_the_rows_of_its_share_only) {
  COPSE_NEEDS_GPU();
  const auto& whole = std::get<csr<id, id>>(mixed().shape());
  const auto resident = gpu_graph::copy_of(mixed().view());
  const id first = static_cast<id>(mixed().vertices() / 4);
  const csr_view<id, id> part{whole.view().offsets.first(first + 1), whole.view().targets.first(whole.offsets[first]), symmetry::yes, true};
  for (const char* variant : {"hybrid.dfs.hb.fast", "hybrid.fast.hb.fast"}) {
    EXPECT_EQ(checksum(components(resident, part, {.variant = variant, .hybrid = {.share = 25}})), answer_of(mixed()));
    EXPECT_THROW(static_cast<void>(components(resident, part, {.variant = variant, .hybrid = {.share = 26}})), usage_error);
  }
}

}  // namespace
}  // namespace copse::test
