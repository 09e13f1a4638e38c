// copse components, end to end: what it prints and what it writes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

/// Two components, gaps in the ids, and a comment.
constexpr const char* small = "# a comment\n10 20\n20 30\n\n7 5\r\n";

json json_of(const workplace& folder, std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const outcome ended = folder.run(arguments);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  return json::parse(ended.out, nullptr, false);
}

TEST(components, labels_of_gaps_are_listed_by_id) {
  const workplace folder;
  folder.write("small.el", small);
  ASSERT_EQ(folder.run({"components", "small.el", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("labels.csv"), "id,component\n5,5\n7,5\n10,10\n20,10\n30,10\n");
  ASSERT_EQ(folder.run({"components", "small.el", "-o", "labels.txt"}).exit_code, 0);
  EXPECT_EQ(folder.read("labels.txt"), "5\t5\n7\t5\n10\t10\n20\t10\n30\t10\n");
}

TEST(components, dense_labels_count_in_order_of_the_smallest_id) {
  const workplace folder;
  folder.write("small.el", small);
  ASSERT_EQ(folder.run({"components", "small.el", "--labels", "dense", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("labels.csv"), "id,component\n5,0\n7,0\n10,1\n20,1\n30,1\n");
}

TEST(components, string_ids_are_named_as_they_are) {
  const workplace folder;
  folder.write("people.csv", "who,whom\nzoe,bob\n\"o'neil, jr\",amy\n");
  ASSERT_EQ(folder.run({"components", "people.csv", "--ids", "string", "--header", "yes", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("labels.csv"), "id,component\namy,amy\nbob,bob\n\"o'neil, jr\",amy\nzoe,bob\n");
}

TEST(components, sizes_of_all_components) {
  const workplace folder;
  folder.write("small.el", small);
  ASSERT_EQ(folder.run({"components", "small.el", "--sizes", "sizes.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("sizes.csv"), "component,size\n5,2\n10,3\n");
}

TEST(components, a_summary_for_people) {
  const workplace folder;
  folder.write("small.el", small);
  const outcome ended = folder.run({"components", "small.el", "--variant", "serial.none.rem", "--top", "2", "--verify"});
  EXPECT_EQ(ended.err, "");
  EXPECT_TRUE(ended.out.starts_with(
      "vertices    5\nedges       3\ncomponents  2\nlargest     3 (label 10)\nisolated    0\nvariant     serial.none.rem\n"
      "threads     1\nseconds     "))
      << ended.out;
  EXPECT_TRUE(ended.out.ends_with("verified    yes\ntop 1       3 (label 10)\ntop 2       2 (label 5)\n")) << ended.out;
}

TEST(components, json_has_the_fields_of_the_design_in_order) {
  const workplace folder;
  folder.write("small.el", small);
  const outcome ended = folder.run({"components", "small.el", "--json", "--top", "1"});
  const auto answer = nlohmann::ordered_json::parse(ended.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"command",      "vertices",           "edges",           "arcs",       "components",
                                            "largest",      "isolated",           "variant",         "device",     "threads",
                                            "seconds",      "solve_seconds_all",  "phases",          "peak_bytes", "verified",
                                            "checksum",     "positions_checksum", "histogram",       "top",        "comment_lines",
                                            "missing_ends", "missing_weights",    "below_min_weight"}));
  EXPECT_EQ(answer["largest"].dump(), R"({"label":10,"size":3})");
  EXPECT_EQ(answer["histogram"].dump(), R"([{"min_size":2,"max_size":3,"components":2}])");
  EXPECT_EQ(answer["top"].dump(), R"([{"label":10,"size":3,"ids":[10,20,30]}])");
  EXPECT_EQ(answer["verified"], false);
  EXPECT_EQ(answer["device"], "cpu");
  EXPECT_GT(answer["peak_bytes"], 0);
}

TEST(components, trials_are_all_reported_and_their_median_is_the_time) {
  const workplace folder;
  for (const std::string graph : {"grid2d:side=50", "grid.el"}) {
    if (graph == "grid.el") {
      ASSERT_EQ(folder.run({"generate", "grid2d:side=50", "-o", "grid.el"}).exit_code, 0);
    }
    const json answer = json_of(folder, {"components", graph, "--trials", "5", "--verify"});
    std::multiset<double> all;
    for (const auto& seconds : answer["solve_seconds_all"]) all.insert(seconds.get<double>());
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(answer["seconds"]["solve"].get<double>(), *std::next(all.begin(), 2));
    EXPECT_EQ(answer["components"], 1);
    EXPECT_EQ(answer["verified"], true);
  }
}

TEST(components, a_list_of_pairs_takes_no_memory_for_its_edges) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=20000,m=3000000", "-o", "er.coo"}).exit_code, 0);
  const json answer = json_of(folder, {"components", "er.coo", "--memory", "12M", "--threads", "2", "--verify"});
  EXPECT_EQ(answer["vertices"], 20000);
  EXPECT_EQ(answer["edges"], 3000000);
  EXPECT_EQ(answer["verified"], true);
  const outcome piped =
      folder.run({"components", "-", "--format", "coo", "--memory", "12M", "--threads", "2", "--json"}, folder.read("er.coo"));
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(json::parse(piped.out)["checksum"], answer["checksum"]);
}

TEST(components, json_says_where_the_last_solve_spent_its_time) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=3000,m=9000", "-o", "er.coo"}).exit_code, 0);
  const auto phases_of = [&](const std::string& variant) {
    const auto answer = nlohmann::ordered_json::parse(folder.output({"components", "er.coo", "--variant", variant, "--verify", "--json"}));
    std::vector<std::string> names;
    for (const auto& [name, seconds] : answer["phases"].items()) {
      names.push_back(name);
      EXPECT_GE(seconds.get<double>(), 0);
      EXPECT_LE(seconds.get<double>(), answer["seconds"]["solve"].get<double>()) << name;
    }
    return names;
  };
  using words = std::vector<std::string>;
  EXPECT_EQ(phases_of("threads.none.rem_cas.naive.split_one"), (words{"sample", "finish", "labels"}));
  EXPECT_EQ(phases_of("threads.none.cc"), (words{"sample", "graft", "shortcut", "finish", "labels"}));
  EXPECT_EQ(phases_of("threads.none.cc_updt"), (words{"sample", "graft", "shortcut", "update", "finish", "labels"}));
  EXPECT_EQ(phases_of("serial.none.sv_updt"), (words{"sample", "shortcut", "graft", "update", "finish", "labels"}));
  EXPECT_EQ(phases_of("threads.stages.sv"), (words{"update", "shortcut", "graft", "sample", "labels"}));
  EXPECT_EQ(phases_of("threads.none.cc_sort"), (words{"sample", "sort", "graft", "shortcut", "finish", "labels"}));
  EXPECT_EQ(phases_of("threads.none.rem_verify"), (words{"sample", "verify", "finish", "labels"}));
}

TEST(components, several_edge_lists_are_one_graph) {
  const workplace folder;
  folder.write("a.el", "10 20\n");
  folder.write("empty.el", "");
  folder.write("b.csv", "from,to\n7,5\n20,30\n");
  ASSERT_EQ(folder.run({"components", "empty.el", "a.el", "b.csv", "--verify", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("labels.csv"), "id,component\n5,5\n7,5\n10,10\n20,10\n30,10\n");
  folder.write("people.el", "amy bob\n");
  const std::string mixed = folder.refusal({"components", "a.el", "people.el", "--progress", "never"});
  EXPECT_TRUE(mixed.ends_with("people.el: found string ids, expected integer ids as in a.el\n")) << mixed;
  EXPECT_EQ(json_of(folder, {"components", "a.el", "people.el", "--ids", "string", "--verify"})["components"], 2);
  EXPECT_EQ(folder.refusal({"components", "a.el", "karate"}), "copse: several GRAPHs must all be files of edges, which karate is not\n");
}

TEST(components, an_empty_file_has_no_vertices) {
  const workplace folder;
  folder.write("empty.el", "");
  const json answer = json_of(folder, {"components", "empty.el", "--verify"});
  EXPECT_EQ(answer["vertices"], 0);
  EXPECT_EQ(answer["components"], 0);
  EXPECT_TRUE(answer["largest"].is_null());
}

TEST(components, standard_input_and_output) {
  const workplace folder;
  const outcome ended = folder.run({"components", "-", "-o", "-"}, "0 1\n2 2\n");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, "0\t0\n1\t0\n2\t2\n");
  EXPECT_TRUE(ended.err.starts_with("vertices    3\n")) << ended.err << "the report, beside the data";
}

TEST(components, declared_vertices_include_isolated_ones) {
  const workplace folder;
  folder.write("pair.el", "0 2\n");
  const json answer = json_of(folder, {"components", "pair.el", "--vertices", "5", "--verify"});
  EXPECT_EQ(answer["vertices"], 5);
  EXPECT_EQ(answer["components"], 4);
  EXPECT_EQ(answer["isolated"], 3);
}

TEST(components, light_edges_are_cut) {
  const workplace folder;
  folder.write("pairs.csv", "a,b,score\n0,1,0.9\n1,2,0.49\n2,3,0.5\n");
  const json answer = json_of(folder, {"components", "pairs.csv", "--weight", "3", "--min-weight", "0.5", "--verify"});
  EXPECT_EQ(answer["components"], 2);
}

TEST(components, string_ids_are_noticed_and_reported) {
  const workplace folder;
  folder.write("people.el", "amy bob\nbob cat\n");
  const outcome ended = folder.run({"components", "people.el", "--json"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(ended.err.starts_with("copse: note: ")) << ended.err;
  EXPECT_EQ(json::parse(ended.out)["largest"].dump(), R"({"label":"amy","size":3})");
}

TEST(components, the_checksum_depends_on_the_answer_and_the_ids_only) {
  const workplace folder;
  std::set<std::string> seen, seen_by_position;
  ASSERT_EQ(folder.run({"generate", "er:n=3000,m=2500", "-o", "er.mtx"}).exit_code, 0);
  for (const std::string to : {"er.sg", "er.egr"}) ASSERT_EQ(folder.run({"convert", "er.mtx", to}).exit_code, 0) << to;
  const auto add = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "components");
    arguments.emplace_back("--verify");
    const json report = json_of(folder, arguments);
    seen.insert(report["checksum"]);
    seen_by_position.insert(report["positions_checksum"]);
  };
  for (const std::string threads : {"1", "2", "5"}) {
    for (const std::string graph : {"er.mtx", "er.sg", "er.egr", "er:n=3000,m=2500"}) add({graph, "--threads", threads});
  }
  for (const std::string variant :
       {"serial.none.rem", "serial.none.dfs", "threads.kout.rem_cas.naive.halve_one", "threads.none.async.split"}) {
    add({"er.mtx", "--variant", variant});
  }
  EXPECT_EQ(seen.size(), 2u) << "ids from 0 and from 1";
  EXPECT_EQ(seen_by_position.size(), 1u);
  EXPECT_EQ(seen.begin()->size(), 16u);
  // One edge less, another answer.
  const json other = json_of(folder, {"components", "er:n=3000,m=2400"});
  seen.insert(other["checksum"]);
  seen_by_position.insert(other["positions_checksum"]);
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen_by_position.size(), 2u);
}

TEST(components, explain_says_what_auto_chose) {
  const workplace folder;
  const outcome ended = folder.run({"components", "karate", "--explain"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(ended.err.starts_with("copse: ")) << ended.err;
  EXPECT_EQ(folder.run({"components", "karate", "--explain", "--variant", "serial.none.rem"}).err, "");
}

TEST(components, karate_from_a_file_and_from_its_generator) {
  const workplace folder;
  const json from_file = json_of(folder, {"components", COPSE_ROOT "/examples/karate.txt", "--verify"});
  EXPECT_EQ(from_file["vertices"], 34);
  EXPECT_EQ(from_file["edges"], 78);
  EXPECT_EQ(from_file["components"], 1);
  EXPECT_EQ(from_file["isolated"], 0);
  EXPECT_EQ(from_file["histogram"].dump(), R"([{"components":1,"max_size":63,"min_size":32}])");
}

}  // namespace
}  // namespace copse::cli_test
