// The zoo and the reference are what every other test trusts: their own facts first.
#include <support/reference.hpp>
#include <support/zoo.hpp>

#include <gtest/gtest.h>

#include <set>

namespace copse::test {
namespace {

std::size_t components_of(const coo<std::uint32_t>& graph) {
  const auto labels = reference_labels(graph.view());
  return std::set<std::uint32_t>(labels.begin(), labels.end()).size();
}

TEST(zoo, is_varied_small_and_within_range) {
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    std::set<std::string> names;
    for (const zoo_graph& animal : zoo(seed)) {
      EXPECT_TRUE(names.insert(animal.name).second) << animal.name;
      EXPECT_LE(animal.edges.vertex_count, 2000u) << animal.name;
      for (const edge<std::uint32_t> e : animal.edges.edges) {
        ASSERT_LT(std::max(e.u, e.v), animal.edges.vertex_count) << animal.name;
      }
    }
    EXPECT_GE(names.size(), 25u);
  }
}

TEST(zoo, differs_from_seed_to_seed_and_repeats_for_one) {
  const auto first = zoo(1);
  const auto again = zoo(1);
  const auto other = zoo(2);
  std::size_t different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto edges = first[i].edges.edges.span();
    EXPECT_TRUE(std::ranges::equal(edges, again[i].edges.edges.span())) << first[i].name;
    different += std::ranges::equal(edges, other[i].edges.edges.span()) ? 0 : 1;
  }
  EXPECT_GE(different, 12u);
}

TEST(zoo, animals_have_the_components_of_their_names) {
  for (const std::uint64_t seed : {1u, 2u}) {
    for (const zoo_graph& animal : zoo(seed)) {
      const std::size_t components = components_of(animal.edges);
      const std::size_t n = animal.edges.vertex_count;
      SCOPED_TRACE(animal.name);
      for (const char* whole : {"one_vertex",
                                "path_ascending",
                                "path_descending",
                                "path_shuffled",
                                "star_low",
                                "star_high",
                                "cycle",
                                "bridged_cliques",
                                "complete",
                                "bipartite",
                                "ladder",
                                "grid",
                                "grid_shuffled",
                                "torus",
                                "mesh",
                                "binary_tree",
                                "caterpillar",
                                "random_tree",
                                "random_tree_shuffled",
                                "karate",
                                "ba"}) {
        if (animal.name == whole) {
          EXPECT_EQ(components, 1u);
        }
      }
      if (animal.name == "empty") {
        EXPECT_EQ(components, 0u);
      }
      if (animal.name == "no_edges" || animal.name == "loops_only") {
        EXPECT_EQ(components, n);
      }
      if (animal.name == "multi_edges") {
        EXPECT_EQ(components, 3u);
      }
      if (animal.name == "two_cycles" || animal.name == "separate_cliques") {
        EXPECT_EQ(components, 2u);
      }
      if (animal.name.starts_with("clusters") || animal.name == "er_below_threshold") {
        EXPECT_GT(components, 60u);
      }
    }
  }
}

TEST(reference, labels_are_the_smallest_vertices) {
  const auto graph = make_coo(7, {{5, 3}, {3, 6}, {2, 1}, {4, 4}});
  EXPECT_EQ(reference_labels(graph.view()), (std::vector<std::uint32_t>{0, 1, 1, 3, 4, 3, 3}));
}

}  // namespace
}  // namespace copse::test
