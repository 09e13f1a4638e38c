// The choosers of the GConn paper: which way the tree goes, with its thresholds and with others, on a CPU and among the variants of a GPU.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/graph.hpp>
#include <copse/variants.hpp>
#include <copse/views.hpp>
#include <variants/choosers.hpp>
#include <variants/gpu_choice.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace copse::test {
namespace {

struct fork {
  std::string spec, variant;
};

const std::vector<fork>& forks() {
  static const std::vector<fork> all{{"path:n=2000", "none.async.compress"},
                                     {"osm:side=20,keep=.6", "none.async.compress"},
                                     {"ba:n=2000,k=10", "hb.ecl"},
                                     {"er:n=2000,m=16000", "kout.async.compress"}};
  return all;
}

TEST(gconn_tree, forks_by_arcs_per_vertex_and_by_what_first_hooks_cover) {
  for (const auto& [spec, variant] : forks()) {
    const graph g = gen::generate(spec);
    for (const std::string backend : {"threads", "cuda"})
      EXPECT_EQ(variant::gconn_tree(g.view(), 1, backend).variant, backend + "." + variant) << spec;
  }
}

TEST(gconn_tree, goes_other_ways_with_other_thresholds) {
  const graph dense = gen::generate("er:n=2000,m=16000");
  EXPECT_EQ(variant::gconn_tree(dense.view(), 1, "threads", {.arcs_per_vertex = 17}).variant, "threads.none.async.compress");
  EXPECT_EQ(variant::gconn_tree(dense.view(), 1, "threads", {.hooked_share = 0}).variant, "threads.hb.ecl");
  const graph hubs = gen::generate("ba:n=2000,k=10");
  EXPECT_EQ(variant::gconn_tree(hubs.view(), 1, "threads", {.hooked_share = 1.1}).variant, "threads.kout.async.compress");
}

TEST(gconn_tree, says_what_it_saw) {
  const graph g = gen::generate("ba:n=2000,k=10");
  EXPECT_EQ(variant::gconn_tree(g.view(), 1).explanation,
            "gconn_tree: 19.4 arcs per vertex, first hooks cover 100.0 %: hook-based sampling");
}

TEST(gconn_choosers, pick_variants_that_solve_and_make_forests_on_either_device) {
  for (const std::string chooser : {"gconn_tree", "gconn_default"}) {
    for (const auto& [spec, variant] : forks()) {
      const graph g = gen::generate(spec);
      const std::string picked = variant::choose(chooser, g.view(), 2, 1).variant;
      EXPECT_NE(find_variant(picked, input_kind::csr), nullptr) << picked;
      EXPECT_EQ(components(g, {.variant = chooser}, {.threads = 2}).report.variant, picked) << spec;
      const std::string on_gpu = variant::on_gpu(chooser, g.view(), 1).variant;
      EXPECT_EQ(on_gpu, "cuda" + picked.substr(picked.find('.')));
      for (const problem_kind problem : {problem_kind::components, problem_kind::forest}) {
        EXPECT_EQ(find_variant(on_gpu, input_kind::csr, problem) != nullptr, built_with_cuda()) << on_gpu;
      }
    }
  }
}

TEST(gconn_choosers, do_not_sample_edge_lists) {
  const graph list = gen::generate_edges("er:n=2000,m=16000");
  for (const std::string chooser : {"gconn_tree", "gconn_default"}) {
    EXPECT_EQ(variant::choose(chooser, list.view(), 2, 1).variant, "threads.none.async.compress");
    EXPECT_EQ(variant::on_gpu(chooser, list.view(), 1).variant, "cuda.none.async.compress");
  }
}

/// Not as `auto`, in silence: its look would follow pointers of another memory.
TEST(gconn_tree, is_refused_for_a_graph_that_it_never_saw_in_host_memory) {
  const graph g = gen::generate("ba:n=2000,k=10");
  EXPECT_THROW(static_cast<void>(variant::gpu_variant_for(g.view(), "gconn_tree")), usage_error);
  EXPECT_THROW(static_cast<void>(variant::gpu_variant_ahead(10, 20, "gconn_tree")), usage_error);
  if (!built_with_cuda()) GTEST_SKIP() << "no GPU part in this build";
  const auto tree = variant::gpu_variant_for_host(g.view(), "gconn_tree");
  EXPECT_EQ(tree.chosen->info.name, "cuda.hb.ecl");
  const auto found = variant::gpu_variant_for(g.view(), "gconn_tree", problem_kind::forest, tree);
  EXPECT_EQ(found.chosen->info.name, "cuda.hb.ecl");
  EXPECT_EQ(found.chosen->info.problem, problem_kind::forest);
  EXPECT_EQ(found.explanation, tree.explanation);
}

TEST(gconn_default, needs_no_look) {
  if (!built_with_cuda()) GTEST_SKIP() << "no GPU part in this build";
  const csr_view<std::uint32_t, std::uint32_t> elsewhere{};
  EXPECT_EQ(variant::gpu_variant_for(graph_view{elsewhere}, "gconn_default").chosen->info.name, "cuda.kout.async.compress");
  EXPECT_EQ(variant::gpu_variant_ahead(10, 20, "gconn_default").info.name, "cuda.kout.async.compress");
}

}  // namespace
}  // namespace copse::test
