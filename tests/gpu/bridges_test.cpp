// Bridges by a GPU: what the definitions say on small graphs with repeated edges and loops, and in all parts what the CPU finds.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <bridges/definition.hpp>
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <support/zoo.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

void expect_the_same(const bridges_result& found, const bridges_result& expected, const std::string& what) {
  EXPECT_EQ(plain(found), plain(expected)) << what;
  EXPECT_EQ(found.components, expected.components) << what;
  EXPECT_EQ(found.two_edge_connected_count, expected.two_edge_connected_count) << what;
  EXPECT_EQ(found.biconnected_count, expected.biconnected_count) << what;
}

TEST(gpu_bridges, are_what_the_definitions_say) {
  COPSE_NEEDS_GPU();
  zoo_detail::dice random{12};
  for (unsigned round = 0; round < 300; ++round) {
    const std::uint32_t n = 1 + random.below(9);
    edges32 edges;
    for (std::uint32_t i = random.below(2 * n); i > 0; --i) {
      const std::uint32_t u = random.below(n);
      edges.push_back({u, random.below(n)});
    }
    const auto list = make_coo(n, edges);
    for (const bool simple : {false, true}) {
      const auto found = bridges(graph_view{list.view()}, {.simple = simple, .vertex_blocks = true}, {.device = "cuda"});
      ASSERT_EQ(plain(found), bridges_by_definition(n, edges, simple)) << "seed 12, round " << round << ", simple " << simple;
      const verdict proved = verify_bridges(graph_view{list.view()}, found, simple);
      ASSERT_TRUE(proved) << proved.reason;
    }
  }
}

TEST(gpu_bridges, are_those_of_the_cpu_for_every_form_of_graph) {
  COPSE_NEEDS_GPU();
  for (const zoo_graph& animal : zoo(21)) {
    const graph_view list{animal.edges.view()};
    expect_the_same(bridges(list, {.vertex_blocks = true}, {.device = "cuda"}), bridges(list, {.vertex_blocks = true}), animal.name);
    for (const bool symmetrise : {true, false}) {
      const graph rows = build_csr(list, {.symmetrise = symmetrise, .drop_duplicates = false});
      expect_the_same(bridges(rows, {.vertex_blocks = true}, {.device = "cuda"}), bridges(rows, {.vertex_blocks = true}),
                      fmt::format("{}, symmetric {}", animal.name, symmetrise));
    }
  }
}

TEST(gpu_bridges, of_large_and_deep_graphs_are_those_of_the_cpu) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"path:n=300000", "random_tree:n=200000,shuffle=1", "er:n=200000,m=240000", "grid2d:rows=3,cols=60000",
                           "rmat:scale=17,edges=2,seed=3", "star:n=200000", "osm:side=200,keep=.6", "web:n=50000,degree=8", "path:n=0"}) {
    const graph g = gen::generate(spec);
    for (const bool simple : {false, true}) {
      const auto found = bridges(g, {.simple = simple, .vertex_blocks = true}, {.device = "cuda"});
      EXPECT_EQ(found.report.device, "cuda:0");
      expect_the_same(found, bridges(g, {.simple = simple, .vertex_blocks = true}), spec);
    }
  }
}

TEST(gpu_bridges, refuse_ids_of_64_bits) {
  COPSE_NEEDS_GPU();
  const std::vector<edge<std::uint64_t>> edges{{0, 1}};
  EXPECT_THROW(bridges(graph_view{coo_view<std::uint64_t>{2, edges}}, {}, {.device = "cuda"}), usage_error);
}

}  // namespace
}  // namespace copse::test
