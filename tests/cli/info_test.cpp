// copse info: what a graph is like.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

TEST(info, karate) {
  const workplace folder;
  const std::string printed = folder.output({"info", COPSE_ROOT "/examples/karate.txt"});
  EXPECT_TRUE(printed.starts_with(
      "format      edges, list of edges\nids         integers 1 to 34\nvertices    34\nedges       78\narcs        78\nloops       0\n"
      "degree      min 1, median 3, mean 4.59, max 17\ncomponents  1\nlargest     34 (label 1)\nisolated    0\n"
      "size 32-63       1 components\npath        edges are united while they are parsed, none is held\nmemory      about 280 B\n"
      "labels      about 204 B as .csv, 136 B as .npy\n"))
      << printed;
  EXPECT_EQ(printed.find(" variants over "), std::string::npos);
  EXPECT_NE(folder.run({"info", COPSE_ROOT "/examples/karate.txt", "--all"}).out.find(" variants over "), std::string::npos);
}

TEST(info, rows_count_an_edge_once_and_both_its_arcs) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "star:n=9", "-o", "star.sg"}).exit_code, 0);
  const auto answer = nlohmann::json::parse(folder.run({"info", "star.sg", "--json"}).out);
  EXPECT_EQ(answer["stored"], "symmetric rows");
  EXPECT_EQ(answer["vertices"], 9);
  EXPECT_EQ(answer["edges"], 8);
  EXPECT_EQ(answer["arcs"], 16);
  EXPECT_EQ(answer["degree"].dump(), R"({"max":8,"mean":1.7777777777777777,"median":1,"min":1})");
  EXPECT_EQ(answer["histogram"].dump(), R"([{"components":1,"max_size":15,"min_size":8}])");
  // Rows of 9 vertices and 16 arcs and 9 labels, 4 bytes each.
  EXPECT_EQ(answer["memory"][0]["bytes"], 4 * (10 + 16 + 9));
}

TEST(info, rows_in_text_are_looked_at_too) {
  const workplace folder;
  folder.write("both.adj", "AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n1\n");
  folder.write("one.adj", "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n");
  for (const auto& [file, stored, arcs] : {std::tuple{"both.adj", "symmetric rows", 4}, {"one.adj", "rows", 2}}) {
    const auto answer = nlohmann::json::parse(folder.run({"info", file, "--json"}).out);
    EXPECT_EQ(answer["stored"], stored);
    EXPECT_EQ(answer["edges"], 2);
    EXPECT_EQ(answer["arcs"], arcs);
    EXPECT_EQ(answer["degree"]["max"], 2);
  }
}

TEST(info, loops_and_repeats_are_edges) {
  const workplace folder;
  folder.write("messy.el", "0 0\n0 1\n1 0\n5 5\n");
  const auto answer = nlohmann::json::parse(folder.run({"info", "messy.el", "--json"}).out);
  EXPECT_EQ(answer["edges"], 4);
  EXPECT_EQ(answer["loops"], 2);
  EXPECT_EQ(answer["degree"]["max"], 4);
  EXPECT_EQ(answer["isolated"], 1);
}

}  // namespace
}  // namespace copse::cli_test
