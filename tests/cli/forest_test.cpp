// copse forest, end to end: what it prints and what it writes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

/// Two components, one of them a triangle, and gaps in the ids.
constexpr const char* two_trees = "10 20\n20 30\n30 10\n7 5\n";

TEST(forest, edges_parents_and_labels_keep_the_ids) {
  const workplace folder;
  folder.write("small.el", two_trees);
  const std::string printed = folder.output(
      {"forest", "small.el", "--variant", "serial.none.rem", "-o", "f.csv", "--rooted", "r.csv", "--labels", "l.csv", "--verify"});
  EXPECT_TRUE(
      printed.starts_with("vertices    5\nedges       4\ncomponents  2\nforest      3 edges\nvariant     serial.none.rem\nthreads     1\n"))
      << printed;
  EXPECT_TRUE(printed.ends_with("verified    yes\n"));
  EXPECT_EQ(folder.read("f.csv"), "u,v\n10,20\n20,30\n7,5\n");
  EXPECT_EQ(folder.read("r.csv"), "id,parent,depth\n5,5,0\n7,5,1\n10,10,0\n20,10,1\n30,20,2\n");
  EXPECT_EQ(folder.read("l.csv"), "id,component\n5,5\n7,5\n10,10\n20,10\n30,10\n");
  EXPECT_EQ(folder.run({"forest", "small.el", "--variant", "serial.none.rem", "-o", "-"}).out, "10 20\n20 30\n7 5\n");
}

/// The edges of a file are held for a proof and for trials only; what is written and counted is the same.
TEST(forest, edges_of_a_file_are_streamed_unless_they_are_needed_again) {
  const workplace folder;
  std::string edges, five = "%%MatrixMarket matrix coordinate pattern general\n5 5 3\n1 2\n5 4\n2 1\n";
  for (int i = 0; i < 400'000; ++i) edges += std::to_string(i % 500 * 7) + ' ' + std::to_string(i % 499 * 7) + '\n';
  folder.write("many.el", edges);
  folder.write("five.mtx", five);
  const auto report_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"forest", "--json"});
    return json::parse(folder.output(arguments));
  };
  const json streamed = report_of({"many.el"}), proved = report_of({"many.el", "--verify"}),
             twice = report_of({"many.el", "--trials", "2"});
  for (const char* key : {"vertices", "edges", "arcs", "components", "forest_edges"}) {
    EXPECT_EQ(streamed[key], proved[key]) << key;
    EXPECT_EQ(streamed[key], twice[key]) << key;
  }
  EXPECT_EQ(streamed["edges"], 400'000);
  EXPECT_EQ(streamed["forest_edges"], 499);
  EXPECT_GT(streamed["seconds"]["solve"], 0);
  EXPECT_LT(streamed["peak_bytes"].get<std::uint64_t>() + 1'000'000, proved["peak_bytes"].get<std::uint64_t>());
  EXPECT_NE(folder.run({"forest", "many.el", "--explain"}).err.find("united while parsed"), std::string::npos);
  EXPECT_EQ(folder.run({"forest", "many.el", "--explain", "--verify"}).err.find("united while parsed"), std::string::npos);
  EXPECT_EQ(folder.run({"forest", "-", "-o", "-"}, "10 20\n20 30\n30 10\n").out, "10 20\n20 30\n");
  ASSERT_EQ(folder.run({"forest", "five.mtx", "-o", "f.csv", "--rooted", "r.csv", "--labels", "l.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("f.csv"), "u,v\n1,2\n5,4\n");
  EXPECT_EQ(folder.read("r.csv"), "id,parent,depth\n1,1,0\n2,1,1\n3,3,0\n4,4,0\n5,4,1\n");
  EXPECT_EQ(folder.read("l.csv"), "id,component\n1,1\n2,1\n3,3\n4,4\n5,4\n");
}

TEST(forest, samplers_take_their_numbers) {
  const workplace folder;
  const auto forest_of = [&](const char* name, const char* number, const char* variant) {
    const outcome ended = folder.run({"forest", "er:n=300,m=900", "--variant", variant, name, number, "--verify", "-o", "-"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out;
  };
  EXPECT_NE(forest_of("--kout-rounds", "1", "serial.kout.async.halve"), forest_of("--kout-rounds", "3", "serial.kout.async.halve"));
  EXPECT_NE(forest_of("--hb-arcs", "1", "serial.hb.async.halve"), forest_of("--hb-arcs", "4", "serial.hb.async.halve"));
  EXPECT_NE(forest_of("--ldd-beta", ".1", "serial.ldd.async.halve"), forest_of("--ldd-beta", ".9", "serial.ldd.async.halve"));
}

TEST(forest, string_ids_are_named_as_they_are) {
  const workplace folder;
  folder.write("people.csv", "who,whom\nzoe,bob\n\"o'neil, jr\",amy\n");
  ASSERT_EQ(folder.run({"forest", "people.csv", "--ids", "string", "--header", "yes", "-o", "f.csv", "--rooted", "r.txt"}).exit_code, 0);
  EXPECT_EQ(folder.read("f.csv"), "u,v\nzoe,bob\n\"o'neil, jr\",amy\n");
  EXPECT_EQ(folder.read("r.txt"), "amy\tamy\t0\nbob\tbob\t0\no'neil, jr\tamy\t1\nzoe\tbob\t1\n");
  EXPECT_EQ(folder.refusal({"forest", "people.csv", "--ids", "string", "-o", "f.npy"}),
            "f.npy: found names that are strings, expected ids that are numbers, or .txt or .csv\n");
  EXPECT_FALSE(folder.has("f.npy"));
}

TEST(forest, a_tour_adds_sizes_and_places) {
  const workplace folder;
  folder.write("small.el", two_trees);
  EXPECT_TRUE(json::parse(folder.output(
      {"forest", "small.el", "--variant", "serial.none.rem", "--rooted", "r.csv", "--tour", "--verify", "--json"}))["seconds"]
                  .contains("tour"));
  EXPECT_EQ(folder.read("r.csv"), "id,parent,depth,size,preorder\n5,5,0,2,0\n7,5,1,1,1\n10,10,0,3,2\n20,10,1,2,3\n30,20,2,1,4\n");
  ASSERT_EQ(folder.run({"forest", "path:n=70000,shuffle=1", "--rooted", "path.npy", "--tour", "--threads", "2", "--verify"}).exit_code, 0);
  EXPECT_NE(folder.read("path.npy").find("'shape': (70000, 5)"), std::string::npos);
  folder.write("people.csv", "who,whom\nzoe,bob\n\"o'neil, jr\",amy\n");
  ASSERT_EQ(folder.run({"forest", "people.csv", "--ids", "string", "--header", "yes", "--rooted", "r.txt", "--tour"}).exit_code, 0);
  EXPECT_EQ(folder.read("r.txt"), "amy\tamy\t0\t2\t0\nbob\tbob\t0\t2\t2\no'neil, jr\tamy\t1\t1\t1\nzoe\tbob\t1\t1\t3\n");
}

TEST(forest, what_it_writes_is_a_graph_with_the_same_components) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=3000,m=4000", "-o", "er.mtx"}).exit_code, 0);
  // Label and size of every component; the isolated vertices are not in a list of edges.
  const auto sizes_of = [&](const std::string& graph) {
    EXPECT_EQ(folder.run({"components", graph, "--sizes", "sizes.txt"}).exit_code, 0) << graph;
    std::string kept;
    std::istringstream lines{folder.read("sizes.txt")};
    for (std::string line; std::getline(lines, line);) kept += line.ends_with("\t1") ? "" : line + '\n';
    return kept;
  };
  const std::string right = sizes_of("er.mtx");
  for (const std::string name : {"f.el", "f.csv", "f.txt", "f.npy", "f.coo", "f.mtx"}) {
    ASSERT_EQ(folder.run({"forest", "er.mtx", "--verify", "-o", name}).exit_code, 0) << name;
    if (name == "f.mtx") {
      EXPECT_EQ(sizes_of(name), right);
    } else if (name != "f.npy" && name != "f.coo") {
      EXPECT_EQ(sizes_of(name), right) << name;
    } else {
      const auto count = json::parse(folder.run({"components", name, "--json"}).out)["edges"].get<std::uint64_t>();
      EXPECT_EQ(count, json::parse(folder.run({"forest", "er.mtx", "--json"}).out)["forest_edges"]) << name;
    }
  }
  ASSERT_EQ(folder.run({"forest", "er.mtx", "--rooted", "r.npy"}).exit_code, 0);
  EXPECT_TRUE(folder.read("r.npy").starts_with("\x93NUMPY"));
  EXPECT_NE(folder.read("r.npy").find("'shape': (3000, 3)"), std::string::npos);
}

TEST(forest, json_has_its_fields_in_order) {
  const workplace folder;
  const auto answer = nlohmann::ordered_json::parse(folder.output({"forest", "karate", "--json", "--trials", "3"}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"vertices", "edges", "arcs", "components", "forest_edges", "variant", "device", "threads",
                                            "seconds", "solve_seconds_all", "phases", "peak_bytes", "verified"}));
  EXPECT_EQ(answer["forest_edges"], 33);
  EXPECT_EQ(answer["solve_seconds_all"].size(), 3u);
}

TEST(forest, every_sampler_and_thread_count_is_proved) {
  const workplace folder;
  for (const std::string variant :
       {"auto", "gconn_tree", "threads.kout.async.split", "threads.bfs.jtb.naive", "threads.ldd.hooks.naive", "threads.stages.ecl"}) {
    for (const std::string threads : {"1", "3"}) {
      const outcome ended = folder.run({"forest", "rmat:scale=12,edges=8", "--variant", variant, "--threads", threads, "--verify"});
      EXPECT_EQ(ended.exit_code, 0) << variant << ": " << ended.err;
    }
  }
}

TEST(forest, refuses_what_makes_no_sense) {
  const workplace folder;
  folder.write("small.el", two_trees);
  const auto expect = [&](std::vector<std::string> arguments, const std::string& text) {
    arguments.insert(arguments.begin(), {"forest", "small.el"});
    EXPECT_EQ(folder.refusal(arguments), text);
  };
  expect({"-o", "f.sg"}, "f.sg: found the suffix .sg, expected .csv .tsv .el .txt .npy .mtx .coo .coo64 .parquet or .arrow for a forest\n");
  expect({"--rooted", "r.el"}, "r.el: found the suffix .el, expected .csv .txt .npy .parquet or .arrow for parents and depths\n");
  expect({"--tour"}, "copse: --tour needs --rooted FILE\n");
  expect({"-o", "-", "--json"}, "copse: --json and an output - cannot both go to standard output: give the output a file\n");
  expect({"--labels", "-"}, "copse: only the edges (-o) can go to standard output; give a file for the other outputs\n");
  expect({"--variant", "threads.none.stergiou"},
         "copse: --variant threads.none.stergiou: threads.none.stergiou: a vertex may leave its tree, so no root dies for exactly one edge "
         "(copse "
         "variants --problem forest lists all)\n");
  EXPECT_TRUE(folder.files() == std::vector<std::string>{"small.el"});
}

TEST(forest, variants_are_listed) {
  const workplace folder;
  const outcome ended = folder.run({"variants", "serial.none.re*", "--problem", "forest"});
  EXPECT_TRUE(ended.out.starts_with("serial.none.rem_cas.naive.halve_one")) << ended.out;
  EXPECT_EQ(folder.run({"variants", "*.stergiou", "--problem", "forest"}).exit_code, 2);
}

}  // namespace
}  // namespace copse::cli_test
