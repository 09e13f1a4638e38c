// Text formats of rows that hold weights: a least weight is compared with them, and graphs with weights are read from them.
#include "io/text_harness.hpp"

#include <copse/components.hpp>
#include <copse/weighted_graph.hpp>

namespace copse::testing {
namespace {

constexpr const char* metis = "4 3 001\n3 5 2 1.5\n1 1.5 3 -2\n1 5 2 -2\n\n";  // 1-3: 5, 1-2: 1.5, 2-3: -2
constexpr const char* adj = "WeightedAdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n1\n0.5\n0.5\n-1\n-1\n";

edges arcs(const std::string& name, const std::string& text, std::optional<double> least) {
  const temporary_file file{name, text};
  io::read_options options;
  options.min_weight = least;
  edges found;
  for (const unsigned threads : {1u, 3u}) {
    for (const std::size_t block : {1u, 1u << 20}) {
      options.block_bytes = block;
      found = arcs_of(io::read_graph(file.path(), options, {.threads = threads})).numbers;
    }
  }
  return found;
}

TEST(weights_in_rows, a_least_weight_is_compared_with_those_of_the_file) {
  EXPECT_EQ(arcs("a.graph", metis, 1.5), (edges{{0, 1}, {0, 2}, {1, 0}, {2, 0}}));
  EXPECT_EQ(arcs("a.graph", metis, 2), (edges{{0, 2}, {2, 0}}));
  EXPECT_EQ(arcs("a.adj", adj, 0), (edges{{0, 1}, {1, 0}}));
  EXPECT_EQ(arcs("a.adj", adj, {}).size(), 4u);
  const temporary_file file{"a.graph", metis};
  io::read_options options;
  options.min_weight = 2;
  const components_result found = components(file.path(), options);
  EXPECT_EQ(found.count(), 3u);
  EXPECT_EQ(found.labels.names().integer(0), 1u);
}

TEST(weights_in_rows, are_read_with_their_arcs) {
  const temporary_file file{"a.graph", metis};
  const weighted_graph read = io::read_weighted_graph(file.path());
  EXPECT_EQ(read.edges.names().integer(0), 1u);
  std::vector<double> weights;
  for (std::uint64_t i = 0; i < read.weights.size(); ++i) weights.push_back(read.weights[i]);
  EXPECT_EQ(weights, (std::vector<double>{1.5, 5, 1.5, -2, 5, -2})) << "neighbours ascend, and their weights go with them";
  const temporary_file other{"a.adj", adj};
  EXPECT_EQ(io::read_weighted_graph(other.path()).weights.size(), 4u);
}

TEST(weights_in_rows, that_are_not_there_or_no_numbers_are_refused) {
  io::read_options options;
  options.min_weight = 1;
  const auto refusal = [&](const std::string& name, const std::string& text) {
    const temporary_file file{name, text};
    return refusal_everywhere(file.path(), options);
  };
  EXPECT_EQ(refusal("a.graph", "2 1\n2\n1\n"),
            "a.graph:1: found edges without weights, expected the format 1, which says that edges have weights");
  EXPECT_EQ(refusal("a.graph", "2 1 1\n2 3\n1 x\n"), "a.graph:3: found \"x\", expected a number as the weight of an edge");
  EXPECT_EQ(refusal("a.graph", "2 1 1\n2 nan\n1 1\n"), "a.graph:2: found \"nan\", expected a number as the weight of an edge");
  EXPECT_EQ(refusal("a.adj", "AdjacencyGraph\n2\n1\n0\n1\n1\n"),
            "a.adj:1: found AdjacencyGraph, without weights, expected WeightedAdjacencyGraph");
  EXPECT_EQ(refusal("a.adj", "WeightedAdjacencyGraph\n2\n1\n0\n1\n1\nw\n"), "a.adj:7: found \"w\", expected a number as weight");
  EXPECT_TRUE(arcs("a.graph", "3 0\n\n\n\n", 1).empty()) << "no edge lacks a weight";
  EXPECT_THROW(arcs("a.graph", "2 0\n2 1\n1\n", 1), input_error);
}

TEST(weights_in_rows, need_no_column) {
  const temporary_file file{"a.graph", metis};
  io::read_options options;
  options.weight_column = 3u;
  EXPECT_THROW(io::read_weighted_graph(file.path(), options), usage_error);
  options.min_weight = 1;
  EXPECT_THROW(io::read_graph(file.path(), options), usage_error);
}

}  // namespace
}  // namespace copse::testing
