// Every part of the answer against the definitions, on thousands of small graphs with repeated edges and loops; the same answer from every
// form of the input and any number of threads; and the proof on the zoo and on real graphs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <support/real_graphs.hpp>
#include <support/zoo.hpp>

#include "definition.hpp"

namespace copse::test {
namespace {

edges32 random_edges(std::uint32_t n, std::size_t count, zoo_detail::dice& random) {
  edges32 edges;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t u = random.below(n);
    edges.push_back({u, random.below(n)});
  }
  return edges;
}

std::string text(const edges32& edges) {
  std::string all;
  for (const auto e : edges) all += fmt::format("{}-{} ", e.u, e.v);
  return all;
}

TEST(bridges, are_what_the_definitions_say) {
  zoo_detail::dice random{11};
  for (unsigned round = 0; round < 3000; ++round) {
    const std::uint32_t n = 1 + random.below(9);
    const auto edges = random_edges(n, random.below(2 * n), random);
    const auto list = make_coo(n, edges);
    for (const bool simple : {false, true}) {
      const auto expected = bridges_by_definition(n, edges, simple);
      const auto found = bridges(graph_view{list.view()}, {.simple = simple, .vertex_blocks = true}, {.threads = 1 + round % 3});
      ASSERT_EQ(plain(found), expected) << "seed 11, round " << round << ", " << n << " vertices, simple " << simple << ": " << text(edges);
      ASSERT_EQ(found.biconnected_count, expected.blocks.size());
      ASSERT_EQ(found.two_edge_connected_count, classes_in(expected.labels));
      ASSERT_EQ(found.components, classes_in(labels_where(n, edges, [](std::size_t) { return true; })));
      const verdict proved = verify_bridges(graph_view{list.view()}, found, simple);
      ASSERT_TRUE(proved) << proved.reason << ": " << text(edges);
    }
  }
}

TEST(bridges, a_doubled_edge_is_none_unless_repeats_count_once) {
  const auto list = make_coo(4, {{0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 2}, {2, 3}, {3, 2}});
  const auto multi = bridges(graph_view{list.view()});
  EXPECT_EQ(plain(multi).bridges, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(multi.repeated_edges, 3u);
  const auto simple = bridges(graph_view{list.view()}, {.simple = true});
  EXPECT_EQ(plain(simple).bridges, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(plain(simple).points, (std::vector<std::uint64_t>{1, 2}));
}

TEST(bridges, are_the_same_for_every_form_of_graph) {
  for (const zoo_graph& animal : zoo(21)) {
    const auto list = bridges(graph_view{animal.edges.view()}, {.vertex_blocks = true}, {.threads = 1});
    const verdict proved = verify_bridges(graph_view{animal.edges.view()}, list);
    ASSERT_TRUE(proved) << animal.name << ": " << proved.reason;
    coo<std::uint64_t> wide{animal.edges.vertex_count, buffer<edge<std::uint64_t>>{animal.edges.edges.size()}};
    std::ranges::transform(animal.edges.edges, wide.edges.begin(), [](auto e) { return edge<std::uint64_t>{e.u, e.v}; });
    const auto expected = plain(list);
    EXPECT_EQ(plain(bridges(graph_view{wide.view()}, {.vertex_blocks = true}, {.threads = 3})), expected) << animal.name;
    // In rows, positions are others; of directed rows, as many arcs as edges of the list.
    for (const bool symmetrise : {true, false}) {
      const graph rows = build_csr(graph_view{animal.edges.view()}, {.symmetrise = symmetrise, .drop_duplicates = false});
      for (const unsigned threads : {1u, 4u}) {
        const auto found = bridges(rows, {.vertex_blocks = true}, {.threads = threads});
        const verdict right = verify_bridges(rows.view(), found);
        ASSERT_TRUE(right) << animal.name << ", symmetric " << symmetrise << ": " << right.reason;
        auto parts = plain(found);
        EXPECT_EQ(parts.bridges.size(), expected.bridges.size()) << animal.name;
        EXPECT_EQ(parts.labels, expected.labels) << animal.name;
        EXPECT_EQ(parts.points, expected.points) << animal.name;
        EXPECT_EQ(parts.blocks, expected.blocks) << animal.name;
      }
    }
  }
}

TEST(bridges, of_large_and_deep_graphs_are_proved) {
  for (const char* spec : {"path:n=60000", "random_tree:n=60000,shuffle=1", "er:n=50000,m=60000", "grid2d:rows=3,cols=20000",
                           "rmat:scale=14,edges=2,seed=3", "star:n=50000"}) {
    const graph g = gen::generate_edges(spec);
    const auto found = bridges(g, {.vertex_blocks = true}, {.threads = 4});
    const verdict proved = verify_bridges(g.view(), found);
    EXPECT_TRUE(proved) << spec << ": " << proved.reason;
    EXPECT_EQ(plain(bridges(g, {.vertex_blocks = true}, {.threads = 1})), plain(found)) << spec;
  }
}

TEST(bridges, of_real_graphs_are_proved) {
  const auto folder = testing::real_graphs_folder(COPSE_SOURCE_DIR);
  unsigned proved = 0;
  for (const auto& file : testing::real_files()) {
    if (!std::filesystem::exists(folder / file.name) || std::filesystem::file_size(folder / file.name) > (1u << 21)) continue;
    const graph g = io::read_graph(folder / file.name, file.options);
    for (const bool simple : {false, true}) {
      const auto found = bridges(g, {.simple = simple, .vertex_blocks = true});
      const verdict right = verify_bridges(g.view(), found, simple);
      EXPECT_TRUE(right) << file.name << ": " << right.reason;
    }
    ++proved;
  }
  if (proved == 0) GTEST_SKIP() << "no graphs in " << folder;
}

TEST(bridges, refuse_wrong_views_and_respect_memory) {
  const auto list = make_coo(3, {{0, 1}, {1, 3}});
  EXPECT_THROW(bridges(graph_view{list.view()}), usage_error);
  const graph g = gen::generate_edges("er:n=20000,m=30000");
  tracked_memory enough, little{1u << 18};
  EXPECT_NO_THROW(bridges(g, {.vertex_blocks = true}, {.memory = &enough}));
  EXPECT_LE(enough.peak_bytes(), 20000u * (20 * 4 + 2 * 8) + (1u << 20));
  EXPECT_THROW(bridges(g, {}, {.memory = &little}), resource_error);
  EXPECT_EQ(little.current_bytes(), 0u);
}

}  // namespace
}  // namespace copse::test
