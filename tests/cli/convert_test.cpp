// copse generate and convert: graphs into files, from format to format, and back.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

std::string edges_and_loops(const workplace& folder, const std::string& graph) {
  const auto answer = nlohmann::json::parse(folder.output({"info", graph, "--json"}), nullptr, false);
  return answer["edges"].dump() + " " + answer["loops"].dump();
}

TEST(convert, every_way_round_keeps_the_edges) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "mesh:side=12", "-o", "mesh.el"}).exit_code, 0);
  const std::string expected = edges_and_loops(folder, "mesh.el");
  std::string last = "mesh.el";
  for (const std::string next : {"a.sg", "b.egr", "c.mtx", "d.coo", "e.sg", "g.adj", "h.gr", "i.vgr", "f.txt"}) {
    const outcome ended = folder.run({"convert", last, next});
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    const bool both_directions =
        std::string{"c.mtx d.coo f.txt"}.find(next) != std::string::npos && edges_and_loops(folder, next) != expected;
    EXPECT_FALSE(both_directions) << next << " has " << edges_and_loops(folder, next) << ", not " << expected;
    last = next;
  }
}

TEST(convert, rows_are_simple_and_symmetric_unless_told_otherwise) {
  const workplace folder;
  folder.write("messy.el", "0 1\n1 0\n0 1\n2 2\n3 1\n");
  ASSERT_EQ(folder.run({"convert", "messy.el", "simple.sg"}).exit_code, 0);
  EXPECT_EQ(edges_and_loops(folder, "simple.sg"), "2 0");
  ASSERT_EQ(folder.run({"convert", "messy.el", "loops.sg", "--keep-loops"}).exit_code, 0);
  EXPECT_EQ(edges_and_loops(folder, "loops.sg"), "3 1");
  ASSERT_EQ(folder.run({"convert", "messy.el", "same.el"}).exit_code, 0);
  EXPECT_EQ(folder.read("same.el"), "0 1\n1 0\n0 1\n2 2\n3 1\n");
}

TEST(convert, an_edge_list_keeps_its_names) {
  const workplace folder;
  folder.write("people.el", "zoe amy\namy bob\n");
  ASSERT_EQ(folder.run({"convert", "people.el", "again.el", "--ids", "string"}).exit_code, 0);
  EXPECT_EQ(folder.read("again.el"), "zoe amy\namy bob\n");
}

TEST(convert, a_format_without_names_numbers_the_vertices_and_says_so) {
  const workplace folder;
  folder.write("gaps.el", "10 30\n30 20\n");
  const outcome ended = folder.run({"convert", "gaps.el", "gaps.mtx"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.err, "copse: note: gaps.mtx has no place for the ids of the input: its vertices are numbered from 1 in the same order\n");
  ASSERT_EQ(folder.run({"convert", "gaps.mtx", "again.el"}).exit_code, 0);
  EXPECT_EQ(folder.read("again.el"), "1 3\n3 2\n");
}

TEST(generate, the_same_spec_is_the_same_file_for_any_threads) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "rmat:scale=10,edges=8,seed=7", "-o", "one.el", "--threads", "1"}).exit_code, 0);
  ASSERT_EQ(folder.run({"generate", "rmat:scale=10,edges=8,seed=7", "-o", "three.el", "--threads", "3"}).exit_code, 0);
  EXPECT_EQ(folder.read("one.el"), folder.read("three.el"));
  EXPECT_GT(folder.read("one.el").size(), 8u * 1024 * 4);
}

TEST(generate, help_documents_every_family_with_its_source) {
  const workplace folder;
  const std::string help = folder.run({"generate", "--help"}).out;
  for (const std::string family :
       {"rmat",       "er",           "ba",        "grid2d",        "torus2d",      "mesh",        "osm",
        "web",        "clusters",     "path",      "star",          "complete",     "random_tree", "karate",
        "list",       "ordered_list", "lists",     "configuration", "bipartite",    "giants",      "torus3d",
        "geometric",  "knn",          "cliques",   "power_cliques", "clique_chain", "caterpillar", "star_of_stars",
        "table_rmat", "table_er",     "table_osm", "table_web",     "table_bits",   "table_ba"}) {
    EXPECT_NE(help.find("\n  " + family + ": "), std::string::npos) << family;
  }
  std::size_t sources = 0;
  for (auto at = help.find("    source   "); at != std::string::npos; at = help.find("    source   ", at + 1)) ++sources;
  EXPECT_EQ(sources, 34u);
}

}  // namespace
}  // namespace copse::cli_test
