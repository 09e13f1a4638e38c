// copse bridges, end to end.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>

#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

/// Two triangles of strings, joined by one edge, with a pendant vertex; and a pair apart.
constexpr const char* two_groups =
    "l,r,score\nann,bob,.9\nbob,cy,.8\ncy,ann,.95\ncy,di,.5\ndi,ed,.7\ned,flo,.6\nflo,di,.65\nflo,gus,.4\nyan,zoe,.3\n";
const std::vector<std::string> reading{"bridges", "p.csv", "--ids", "string", "--header", "yes"};

outcome run(const workplace& folder, std::vector<std::string> further) {
  further.insert(further.begin(), reading.begin(), reading.end());
  return folder.run(further);
}

TEST(bridges, are_written_with_what_is_left_without_them) {
  const workplace folder;
  folder.write("p.csv", two_groups);
  const outcome ended = run(folder, {"-o", "b.csv", "--labels", "l.csv", "--articulation-points", "a.csv", "--biconnected", "k.txt",
                                     "--verify", "--threads", "2"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out.substr(0, ended.out.find("threads")),
            "vertices             9\nedges                9\ncomponents           2\nbridges              3\narticulation points  3\n"
            "two-edge-connected   5\nbiconnected          5\ndevice               cpu\n");
  EXPECT_NE(ended.out.find("verified             yes\n"), std::string::npos);
  EXPECT_EQ(folder.read("b.csv"), "u,v\ncy,di\nflo,gus\nyan,zoe\n");
  EXPECT_EQ(folder.read("l.csv"), "id,component\nann,ann\nbob,ann\ncy,ann\ndi,di\ned,di\nflo,di\ngus,gus\nyan,yan\nzoe,zoe\n");
  EXPECT_EQ(folder.read("a.csv"), "id\ncy\ndi\nflo\n");
  EXPECT_EQ(folder.read("k.txt"), "0\tann\n0\tbob\n0\tcy\n1\tcy\n1\tdi\n2\tdi\n2\ted\n2\tflo\n3\tflo\n3\tgus\n4\tyan\n4\tzoe\n");
  EXPECT_EQ(run(folder, {"-o", "-"}).out, "cy di\nflo gus\nyan zoe\n");
}

TEST(bridges, of_the_giant_come_by_the_smaller_side) {
  const workplace folder;
  folder.write("p.csv", two_groups);
  const outcome ended = run(folder, {"--giant", "--weight", "3", "--top", "2", "--points", "3"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out.substr(ended.out.find("largest")),
            "largest component    7 vertices (label ann), 2 bridges\n"
            "bridge  cy  di  smaller side 3, weight 0.5, edge 4\nbridge  flo  gus  smaller side 1, weight 0.4, edge 8\n"
            "hub     cy  degree 3\nhub     di  degree 3\n"
            "at      0.95  6 components, the largest of 2\nat      0.7  4 components, the largest of 3\nat      0.4  1 components, the "
            "largest of 7\n");
  const auto giant = json::parse(run(folder, {"--giant", "--json"}).out)["giant"];
  EXPECT_EQ(giant["size"], 7);
  EXPECT_EQ(giant["bridges"][0]["smaller_side"], 3);
  EXPECT_EQ(giant["hubs"][0], (json{{"vertex", "cy"}, {"degree", 3}}));
  EXPECT_FALSE(giant.contains("thresholds"));
}

TEST(bridges, on_a_gpu_are_those_of_the_cpu) {
  if (gpus().empty()) GTEST_SKIP() << "no GPU";
  const workplace folder;
  folder.write("p.csv", two_groups);
  EXPECT_EQ(run(folder, {"--device", "cuda", "--verify", "-o", "-"}).out, "cy di\nflo gus\nyan zoe\n");
}

TEST(bridges, without_a_gpu_are_refused_there) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a GPU";
  const workplace folder;
  folder.write("p.csv", two_groups);
  const outcome ended = run(folder, {"--device", "cuda", "-o", "b.csv"});
  EXPECT_EQ(ended.exit_code, built_with_cuda() ? 3 : 2);
  EXPECT_NE(ended.err, "");
  EXPECT_FALSE(folder.has("b.csv"));
}

TEST(bridges, repeated_edges_are_told) {
  const workplace folder;
  folder.write("r.gr", "p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 2\na 3 2 2\n");
  const outcome multi = folder.run({"bridges", "r.gr", "--json"});
  EXPECT_EQ(json::parse(multi.out)["bridges"], 0);
  EXPECT_EQ(multi.err,
            "copse: note: 2 edges repeat another, in either direction, which is no bridge then: --simple counts repeated edges once\n");
  const outcome simple = folder.run({"bridges", "r.gr", "--simple", "--verify", "-o", "-"});
  EXPECT_EQ(simple.out, "1 2\n2 3\n");
  EXPECT_TRUE(simple.err.starts_with("vertices             3\n")) << simple.err;
  EXPECT_EQ(simple.err.find("note"), std::string::npos) << simple.err;
  const auto degrees = [&](std::vector<std::string> further) {
    further.insert(further.begin(), {"bridges", "r.gr", "--giant", "--json"});
    return json::parse(folder.run(further).out)["giant"]["hubs"];
  };
  EXPECT_EQ(degrees({})[0], (json{{"vertex", 2}, {"degree", 4}}));
  EXPECT_EQ(degrees({"--simple"})[0], (json{{"vertex", 2}, {"degree", 2}}));
  EXPECT_EQ(folder.run({"bridges", "karate", "--verify", "-o", "-"}).out, "0 11\n");
}

TEST(bridges, refuse_what_makes_no_sense) {
  const workplace folder;
  folder.write("p.csv", two_groups);
  EXPECT_EQ(run(folder, {"-o", "-", "--json"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"--labels", "-"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"-o", "b.xyz"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"--biconnected", "b.npy"}).err,
            "b.npy: found the suffix .npy, expected .csv .txt .parquet or .arrow for sets of vertices\n");
  EXPECT_EQ(run(folder, {"--weight", "3"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"--memory", "64M"}).exit_code, 0);
  EXPECT_EQ(folder.run({"bridges", "er:n=100000,m=200000", "--memory", "2M"}).exit_code, 3);
}

}  // namespace
}  // namespace copse::cli_test
