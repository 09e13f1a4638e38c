// The choosers of the GConn paper: which way the tree goes, with its thresholds and with others, on a CPU and among the variants of a GPU.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/variants.hpp>
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
    for (const std::string backend : {"omp", "cuda"})
      EXPECT_EQ(variant::gconn_tree(g.view(), 1, backend).variant, backend + "." + variant) << spec;
  }
}

TEST(gconn_tree, goes_other_ways_with_other_thresholds) {
  const graph dense = gen::generate("er:n=2000,m=16000");
  EXPECT_EQ(variant::gconn_tree(dense.view(), 1, "omp", {.arcs_per_vertex = 17}).variant, "omp.none.async.compress");
  EXPECT_EQ(variant::gconn_tree(dense.view(), 1, "omp", {.hooked_share = 0}).variant, "omp.hb.ecl");
  const graph hubs = gen::generate("ba:n=2000,k=10");
  EXPECT_EQ(variant::gconn_tree(hubs.view(), 1, "omp", {.hooked_share = 1.1}).variant, "omp.kout.async.compress");
}

TEST(gconn_tree, says_what_it_saw) {
  const graph g = gen::generate("ba:n=2000,k=10");
  EXPECT_EQ(variant::gconn_tree(g.view(), 1).explanation,
            "gconn_tree: 19.4 arcs per vertex, first hooks cover 100.0 %: hook-based sampling");
}

TEST(gconn_choosers, pick_variants_that_solve_and_make_forests_on_either_device) {
  for (const std::string_view chooser : choosers()) {
    for (const auto& [spec, variant] : forks()) {
      const graph g = gen::generate(spec);
      const std::string picked = choose(chooser, g.view(), {.threads = 2}).variant;
      EXPECT_NE(find_variant(picked, input_kind::csr), nullptr) << picked;
      EXPECT_EQ(components(g, {.variant = std::string{chooser}, .threads = 2}).report.variant, picked) << spec;
      const std::string on_gpu = choose(chooser, g.view(), {.gpu = 0}).variant;
      EXPECT_TRUE(on_gpu.starts_with("cuda.")) << on_gpu;
      for (const problem_kind problem : {problem_kind::components, problem_kind::forest}) {
        EXPECT_EQ(find_variant(on_gpu, input_kind::csr, problem) != nullptr, find_variant("cuda.none.ecl", input_kind::csr) != nullptr)
            << on_gpu;  // builds without a GPU part have none of these names
      }
    }
  }
}

TEST(gconn_choosers, do_not_sample_edge_lists) {
  const graph list = gen::generate_edges("er:n=2000,m=16000");
  for (const std::string chooser : {"gconn_tree", "gconn_default"}) {
    EXPECT_EQ(choose(chooser, list.view()).variant, "omp.none.async.compress");
    EXPECT_EQ(choose(chooser, list.view(), {.gpu = 0}).variant, "cuda.none.async.compress");
  }
}

/// Not as `auto`, in silence: their looks would follow pointers of another memory.
TEST(gconn_choosers, are_refused_for_graphs_in_gpu_memory) {
  const graph g = gen::generate("ba:n=2000,k=10");
  for (const std::string chooser : {"gconn_tree", "gconn_default"}) {
    EXPECT_THROW(static_cast<void>(variant::gpu_variant_for(g.view(), chooser)), usage_error);
    EXPECT_THROW(static_cast<void>(variant::gpu_variant_ahead(10, 20, chooser)), usage_error);
  }
  EXPECT_THROW(static_cast<void>(choose("omp.none.ecl", g.view())), usage_error);
}

}  // namespace
}  // namespace copse::test
