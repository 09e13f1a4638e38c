// Weighted forests, end to end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

constexpr const char* people = "l,r,score\nann,bob,.9\nbob,cy,.8\ncy,ann,.95\ndi,ed,.5\ned,di,.6\n";

TEST(weighted, forests_keep_names_and_weights) {
  const workplace folder;
  folder.write("people.csv", people);
  const std::vector<std::string> begin{"forest", "people.csv", "--ids", "string", "--header", "yes", "--weight", "3", "--verify"};
  const auto run = [&](std::vector<std::string> further) {
    further.insert(further.begin(), begin.begin(), begin.end());
    return folder.run(further);
  };
  outcome ended = run({"--maximum", "-o", "max.csv", "--labels", "l.csv", "--rooted", "r.csv", "--tour", "--json"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(folder.read("max.csv"), "u,v,weight\nann,bob,0.9\ncy,ann,0.95\ned,di,0.6\n");
  EXPECT_EQ(folder.read("l.csv"), "id,component\nann,ann\nbob,ann\ncy,ann\ndi,di\ned,di\n");
  EXPECT_EQ(json::parse(ended.out)["goal"], "maximum");
  EXPECT_NEAR(json::parse(ended.out)["weight"].get<double>(), 2.45, 1e-12);
  ended = run({"--minimum", "-o", "-"});
  EXPECT_EQ(ended.out, "ann bob 0.9\nbob cy 0.8\ndi ed 0.5\n") << ended.err;
  EXPECT_EQ(run({"--minimum", "-o", "m.mtx"}).exit_code, 0);
  EXPECT_EQ(folder.read("m.mtx"), "%%MatrixMarket matrix coordinate real general\n5 5 3\n1 2 0.9\n2 3 0.8\n4 5 0.5\n");
}

TEST(weighted, forests_of_formats_that_have_weights) {
  const workplace folder;
  folder.write("w.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n2 1 -1e300\n3 2 inf\n3 1 2\n4 3 -inf\n");
  folder.write("w.gr", "p sp 4 4\na 1 2 5\na 2 3 7\na 3 1 6\na 3 4 1\n");
  EXPECT_EQ(folder.run({"forest", "w.mtx", "--minimum", "--verify", "-o", "-"}).out, "2 1 -1e+300\n3 1 2\n4 3 -inf\n");
  EXPECT_EQ(folder.run({"forest", "w.mtx", "--maximum", "--verify", "-o", "-"}).out, "3 2 inf\n3 1 2\n4 3 -inf\n");
  EXPECT_EQ(folder.run({"forest", "w.gr", "--maximum", "--verify", "-o", "-"}).out, "2 3 7\n3 1 6\n3 4 1\n");
  EXPECT_EQ(folder.run({"forest", "w.gr", "--maximum", "--min-weight", "6", "-o", "-"}).out, "2 3 7\n3 1 6\n");
}

TEST(weighted, forests_refuse_what_has_no_weights) {
  const workplace folder;
  folder.write("e.el", "0 1 .5\n1 2 nan\n");
  folder.write("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n");
  folder.write("m.graph", "2 1\n2\n1\n");
  folder.write("c.coo", std::string{"\0\0\0\0\1\0\0\0", 8});
  const auto expect = [&](std::vector<std::string> arguments, const std::string& text) {
    arguments.insert(arguments.begin(), "forest");
    EXPECT_EQ(folder.refusal(arguments), text);
  };
  expect({"e.el", "--minimum", "--weight", "3"}, "e.el:2: found \"nan\", expected a number as weight in column 3\n");
  expect({"e.el", "--minimum"}, "copse: --minimum needs --weight C, which names the column of weights of an edge list\n");
  expect({"e.el", "--minimum", "--maximum"}, "copse: --maximum cannot be used with --minimum\n");
  expect({"karate", "--maximum"}, "copse: --maximum needs a file with weights; the generator spec karate has none\n");
  expect({"m.graph", "--maximum"}, "m.graph:1: found edges without weights, expected the format 1, which says that edges have weights\n");
  expect({"c.coo", "--maximum"},
         "c.coo: found a file of the format coo, expected weights, which are read from edges, csv, mtx, metis, dimacs, egr, "
         "adj, npz, parquet and arrow\n");
  expect({"e.el", "--maximum", "--weight", "3", "-o", "f.coo"},
         "f.coo: found the suffix .coo, expected .csv .tsv .el .txt .npy .mtx .parquet or .arrow for edges with weights\n");
  EXPECT_EQ(folder.run({"forest", "p.mtx", "--minimum"}).exit_code, 2);
}

TEST(weighted, thresholds_are_points_lines_or_json) {
  const workplace folder;
  folder.write("people.csv", people);
  const std::vector<std::string> begin{"thresholds", "people.csv", "--ids", "string", "--header", "yes", "--weight", "3"};
  const auto run = [&](std::vector<std::string> further) {
    further.insert(further.begin(), begin.begin(), begin.end());
    return folder.run(further);
  };
  const std::string header = "threshold,components,largest,singletons,median,percentile_90,percentile_99,pairs\n";
  EXPECT_EQ(run({}).out, header + "0.95,4,2,3,1,2,2,1\n0.9,3,3,2,1,3,3,3\n0.6,2,3,0,2,3,3,4\n");
  EXPECT_EQ(run({"--at", ".92,1", "-o", "c.csv", "--labels", "l.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("c.csv"), header + "0.92,4,2,3,1,2,2,1\n1,5,1,5,1,1,1,0\n");
  EXPECT_EQ(folder.read("l.csv"), "id,at_0.92,at_1\nann,ann,ann\nbob,bob,bob\ncy,ann,cy\ndi,di,di\ned,ed,ed\n");
  const auto answer = json::parse(run({"--points", "2", "--json"}).out);
  EXPECT_EQ(answer["edges"], 5);
  ASSERT_EQ(answer["thresholds"].size(), 2u);
  EXPECT_EQ(answer["thresholds"][1]["threshold"], .6);
  EXPECT_EQ(run({"--at", "x"}).exit_code, 2);
  EXPECT_EQ(run({"--at", "nan"}).exit_code, 2);
  EXPECT_EQ(run({"--at=-inf,+.95,inf"}).out, header + "-inf,2,3,0,2,3,3,4\n0.95,4,2,3,1,2,2,1\ninf,5,1,5,1,1,1,0\n");
  EXPECT_EQ(run({"--labels", "l2.csv"}).err, "copse: --labels needs --at, which gives the thresholds of the columns\n");
}

TEST(weighted, minus_zero_is_the_weight_zero) {
  const workplace folder;
  folder.write("e.el", "1 2 -0\n2 3 0\n3 4 -0.0\n");
  EXPECT_EQ(folder.run({"forest", "e.el", "--weight", "3", "--maximum", "-o", "-"}).out, "1 2 0\n2 3 0\n3 4 0\n");
}

TEST(weighted, dendrograms_are_scipys_and_can_be_cut) {
  const workplace folder;
  folder.write("e.el", "0 1 4\n1 2 3\n0 2 2\n3 4 1\n");
  const auto run = [&](std::vector<std::string> further) {
    further.insert(further.begin(), {"dendrogram", "e.el", "--weight", "3"});
    return folder.run(further);
  };
  const outcome ended = run({"-o", "z.npy", "--clusters", "3", "--labels", "l.csv"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, "vertices    5\nedges       4\ncomponents  2\n");
  const std::string z = folder.read("z.npy");
  ASSERT_EQ(z.size(), 128u + 4 * 4 * 8);
  std::array<double, 16> merges{};
  std::memcpy(merges.data(), z.data() + 128, sizeof merges);
  EXPECT_EQ(merges, (std::array<double, 16>{0, 1, 0, 2, 2, 5, 1, 3, 3, 4, 3, 2, 6, 7, 6, 5}));
  EXPECT_EQ(folder.read("l.csv"), "id,component\n0,0\n1,0\n2,0\n3,3\n4,4\n");
  EXPECT_EQ(run({"--threshold", "4", "--labels", "t.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("t.csv"), "id,component\n0,0\n1,0\n2,2\n3,3\n4,4\n");
  EXPECT_EQ(run({"-o", "z.mtx"}).exit_code, 2);
  EXPECT_EQ(run({"--clusters", "3"}).exit_code, 2);
  EXPECT_EQ(run({}).exit_code, 2);
}

TEST(weighted, edges_that_are_left_out_are_numbered) {
  const workplace folder;
  const std::string rows = "NA,bob,1\nann,bob,.9\nNA,NA,.9\nbob,cy,.1\n,cy,.9\nbob,dee,nan\ncy,bob,.8\n";
  std::string text = "l,r,score\n", many;
  for (int i = 0; i < 40'000; ++i) many += fmt::format("x{},NA,1\nx{},x{},.7\n", i, i, i + 1);
  folder.write("some.csv", text + rows);
  folder.write("many.csv", text + many + rows);
  folder.write("w.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 .2\n1 2 .9\n1 3 nan\n2 3 .8\n");
  const auto edges = [&](std::vector<std::string> arguments) {
    const outcome ended = folder.run(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    std::vector<std::uint64_t> numbers;
    const json found = json::parse(ended.out);
    for (const json& link : found.contains("path") ? found["path"] : found["giant"]["bridges"]) numbers.push_back(link["edge"]);
    std::ranges::sort(numbers);
    return numbers;
  };
  using numbers = std::vector<std::uint64_t>;
  const std::vector<std::string> how{"--weight", "score", "--na", "NA,,nan", "--json"};
  const auto with = [&](std::vector<std::string> first, std::vector<std::string> last = {}) {
    first.insert(first.end(), how.begin(), how.end());
    first.insert(first.end(), last.begin(), last.end());
    return edges(first);
  };
  EXPECT_EQ(with({"explain", "some.csv", "ann", "cy"}), (numbers{2, 7}));
  EXPECT_EQ(with({"explain", "some.csv", "ann", "cy"}, {"--min-weight", ".5"}), (numbers{2, 7}));
  EXPECT_EQ(with({"bridges", "some.csv", "--giant", "--simple"}), (numbers{2, 4}));
  EXPECT_EQ(with({"explain", "many.csv", "ann", "cy"}), (numbers{80'002, 80'007}));
  EXPECT_EQ(with({"explain", "many.csv", "x39998", "x40000"}), (numbers{79'998, 80'000}));
  EXPECT_EQ(edges({"explain", "w.mtx", "1", "3", "--na", "nan", "--min-weight", ".5", "--json"}), (numbers{2, 4}));
  EXPECT_EQ(edges({"bridges", "some.csv", "--header", "yes", "--ids", "string", "--na", "NA,", "--giant", "--json"}), (numbers{2, 6}));
}

TEST(weighted, explain_shows_the_strongest_path_and_its_weakest_link) {
  const workplace folder;
  folder.write("people.csv", people);
  const auto run = [&](std::vector<std::string> further) {
    further.insert(further.begin(), {"explain", "people.csv", "--ids", "string", "--header", "yes", "--weight", "3"});
    return folder.run(further);
  };
  EXPECT_EQ(
      run({"bob", "cy"}).out,
      "bob  ann  weight 0.9, edge 1\nann  cy  weight 0.95, edge 3\nweakest: bob  ann  weight 0.9: other edges join the two sides, too\n");
  const auto answer = json::parse(run({"cy", "bob", "--json"}).out);
  EXPECT_EQ(answer["path"].size(), 2u);
  EXPECT_EQ(answer["weakest"]["bridge"], false);
  EXPECT_EQ(run({"bob", "ed"}).exit_code, 1);
  EXPECT_EQ(run({"bob", "bob"}).out, "the same vertex\n");
  const outcome unknown = run({"bob", "zoe"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err, "copse: no vertex of the graph is called zoe\n");
}

TEST(weighted, explain_answers_many_pairs_at_once) {
  const workplace folder;
  folder.write("people.csv", people);
  folder.write("pairs.csv", "a,b\nbob,cy\nann,ed\ndi,ed\ndi,di\n");
  const auto run = [&](std::vector<std::string> further) {
    further.insert(further.begin(), {"explain", "people.csv", "--ids", "string", "--header", "yes", "--weight", "3"});
    return folder.run(further);
  };
  const std::string expected =
      "a,b,weight,from,to,edge,bridge\nbob,cy,0.9,ann,bob,1,no\nann,ed,,,,,\ndi,ed,0.6,ed,di,5,yes\ndi,di,inf,,,,\n";
  const outcome ended = run({"--pairs", "pairs.csv"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, expected);
  EXPECT_EQ(run({"--pairs", "pairs.csv", "-o", "out.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("out.csv"), expected);
  EXPECT_EQ(run({"--pairs", "pairs.csv", "bob", "cy"}).exit_code, 2);
  EXPECT_EQ(run({"bob"}).err, "copse: explain takes two vertices, A and B, or --pairs FILE\n");
  folder.write("unknown.csv", "a,b\nbob,zoe\n");
  EXPECT_EQ(run({"--pairs", "unknown.csv"}).err, "copse: unknown.csv: no vertex of the graph is called zoe\n");
  // Less memory than the graph needs: refused, not killed.
  std::string large;
  for (int i = 0; i < 200000; ++i) large += std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
  folder.write("large.el", large);
  const outcome refused = folder.run({"explain", "large.el", "0", "5", "--weight", "3", "--memory", "12M"});
  EXPECT_EQ(refused.exit_code, 3) << refused.out;
}

TEST(weighted, components_of_at_most_so_many_vertices) {
  const workplace folder;
  folder.write("e.el", "0 1 4\n1 2 3\n0 2 2\n3 4 1\n");
  const auto run = [&](std::vector<std::string> further) {
    further.insert(further.begin(), {"components", "e.el", "--weight", "3", "--max-size", "2"});
    return folder.run(further);
  };
  for (const bool verify : {false, true}) {
    std::vector<std::string> arguments{"-o", "l.csv", "--cuts", "c.csv", "--json"};
    if (verify) arguments.push_back("--verify");
    const outcome ended = run(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    const auto answer = json::parse(ended.out);
    EXPECT_EQ(answer["components"], 3);
    EXPECT_EQ(answer["edges"], 4);
    EXPECT_EQ(answer["cuts"], 1);
    EXPECT_EQ(folder.read("l.csv"), "id,component\n0,0\n1,0\n2,2\n3,3\n4,3\n");
    EXPECT_EQ(folder.read("c.csv"), "u,v,weight\n1,2,3\n");
  }
  EXPECT_NE(run({}).out.find("cuts        1\n"), std::string::npos);
  EXPECT_EQ(run({"--trials", "2"}).exit_code, 2);
  EXPECT_EQ(folder.run({"components", "e.el", "--cuts", "c.csv"}).exit_code, 2);
  EXPECT_EQ(folder.run({"components", "e.el", "--max-size", "2"}).exit_code, 2);
}

TEST(weighted, variants_of_weighted_forests_are_listed) {
  const workplace folder;
  const std::string some = folder.output({"variants", "*.filter_kruskal", "--problem", "weighted"});
  EXPECT_EQ(some.find("serial.filter_kruskal  "), 0u) << some;
  const auto all = json::parse(folder.run({"variants", "--problem", "weighted", "--json"}).out);
  ASSERT_GE(all.size(), 8u);
  folder.write("e.el", "0 1 4\n1 2 3\n");
  for (const auto& variant : all) {
    if (variant["backend"] == "cuda") continue;
    EXPECT_EQ(folder.run({"forest", "e.el", "--weight", "3", "--maximum", "--variant", variant["name"].get<std::string>()}).exit_code, 0);
  }
  EXPECT_EQ(folder.run({"variants", "x*", "--problem", "weighted"}).exit_code, 2);
}

TEST(weighted, a_link_in_both_directions_is_one) {
  const workplace folder;
  folder.write("roads.gr", "p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 2\na 3 2 2\n");
  const std::string printed = folder.output({"explain", "roads.gr", "1", "3", "--json"});
  EXPECT_NE(printed.find("\"bridge\": true"), std::string::npos) << printed;
}

}  // namespace
}  // namespace copse::cli_test
