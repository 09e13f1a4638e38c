// copse bench, end to end. Builds that are not for measuring refuse, and that is all there is to see of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "../../cli/machine.hpp"
#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

class bench : public ::testing::Test {
protected:
  void SetUp() override {
    if (!cli::unfit_to_measure.empty()) GTEST_SKIP() << "this is " << cli::unfit_to_measure << ", which copse bench refuses";
  }

  [[nodiscard]] json report(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--json", "-"});
    const outcome ended = folder.run(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    return json::parse(ended.out);
  }

  void expect_misuse(std::vector<std::string> arguments, const std::string& line) const {
    arguments.insert(arguments.begin(), "bench");
    EXPECT_EQ(folder.refusal(arguments), line + "\n");
  }

  workplace folder;
};

std::vector<std::string> variants_of(const json& measurements) {
  std::vector<std::string> names;
  for (const auto& entry : measurements) names.push_back(entry["variant"].get<std::string>() + "/" + entry["threads"].dump());
  std::ranges::sort(names);
  return names;
}

TEST(bench_build, is_refused_unless_it_is_a_release) {
  const workplace folder;
  const outcome ended = folder.run({"bench", "karate", "--variants", "serial.none.rem", "--trials", "1"});
  if (cli::unfit_to_measure.empty()) {
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
  } else {
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "copse: bench needs a release build (tools/build.sh release): the times of " + std::string{cli::unfit_to_measure} +
                             " would mean nothing\n");
  }
}

TEST_F(bench, the_table_has_a_line_for_every_variant_best_first) {
  const outcome ended = folder.run({"bench", "karate", "star:n=100", "--variants", "serial.none.re?,serial.none.dfs", "--trials", "3"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  const std::string lines =
      " +[0-9]+[.][0-9]{3} +1[.]00 +1  serial[.]none[.](rem|dfs)\n +[0-9]+[.][0-9]{3} +[0-9.]+ +1  serial[.]none[.](rem|dfs)\n";
  const std::regex table{"karate: 34 vertices, 78 edges, 156 arcs, 1 components\n +median ms +ratio  threads  variant\n" + lines +
                         "\nstar:n=100: 100 vertices, 99 edges, 198 arcs, 1 components\n +median ms +ratio  threads  variant\n" + lines};
  EXPECT_TRUE(std::regex_match(ended.out, table)) << ended.out;
}

TEST_F(bench, the_report_says_what_was_measured_where) {
  const json all = report({"karate", "--variants", "serial.none.rem,threads.none.ecl*", "--threads", "2", "--trials", "4"});
  EXPECT_EQ(all["benchmark"], "bench");
  for (const char* fact : {"processor", "cores", "memory_bytes", "load", "compiler", "version", "commit", "date"})
    EXPECT_TRUE(all["machine"].contains(fact)) << fact;
  EXPECT_EQ(all["machine"]["version"], COPSE_VERSION);
  EXPECT_FALSE(all["machine"]["commit"].get<std::string>().empty());
  EXPECT_EQ(all["threads"], json({2}));
  EXPECT_EQ(all["trials"], 4);
  EXPECT_EQ(all["input"], "csr");
  EXPECT_EQ(all["within"], nullptr);
  EXPECT_EQ(all["give_up"], nullptr);
  ASSERT_EQ(all["graphs"].size(), 1u);
  const json& graph = all["graphs"][0];
  EXPECT_EQ(graph["graph"], "karate");
  EXPECT_EQ(graph["vertices"], 34);
  EXPECT_EQ(graph["edges"], 78);
  EXPECT_EQ(graph["arcs"], 156);
  EXPECT_EQ(graph["components"], 1);
  const auto solved = json::parse(folder.run({"components", "karate", "--json"}).out);
  EXPECT_EQ(graph["checksum"], solved["checksum"]);
  ASSERT_GT(graph["rows"].size(), 2u);
  double before = 0;
  for (const json& entry : graph["rows"]) {
    EXPECT_EQ(entry["ran"], entry["variant"]);
    EXPECT_EQ(entry["input"], "csr");
    EXPECT_EQ(entry["threads"], entry["variant"] == "serial.none.rem" ? 1 : 2);
    EXPECT_EQ(entry["screened_out"], false);
    EXPECT_FALSE(entry.contains("wrong"));
    auto samples = entry["seconds"]["samples"].get<std::vector<double>>();
    ASSERT_EQ(samples.size(), 4u);
    std::ranges::sort(samples);
    EXPECT_EQ(entry["seconds"]["min"], samples[0]);
    EXPECT_DOUBLE_EQ(entry["seconds"]["median"].get<double>(), (samples[1] + samples[2]) / 2);
    EXPECT_GT(samples[0], 0);
    EXPECT_LE(before, entry["seconds"]["median"].get<double>());
    before = entry["seconds"]["median"].get<double>();
  }
}

TEST_F(bench, variants_are_measured_once_however_often_they_are_named) {
  const json all =
      report({"karate", "--variants", "serial.none.rem,serial.none.r?m,auto,threads.none.ecl,auto", "--threads", "2,1,2", "--trials", "1"});
  EXPECT_EQ(variants_of(all["graphs"][0]["rows"]),
            (std::vector<std::string>{"auto/1", "auto/2", "serial.none.rem/1", "threads.none.ecl/1", "threads.none.ecl/2"}));
  for (const json& entry : all["graphs"][0]["rows"]) {
    EXPECT_EQ(entry["ran"], entry["variant"] == "auto" ? json("serial.none.rem") : entry["variant"]);
  }
}

TEST_F(bench, by_default_all_variants_of_the_input_and_auto) {
  const json all = report({"karate", "--threads", "1", "--trials", "1"});
  std::size_t count = 1;  // auto
  for (const json& entry : json::parse(folder.run({"variants", "--json"}).out))
    count += entry["runs_here"].get<bool>() && entry["inputs"].dump().find("csr") != std::string::npos;
  EXPECT_EQ(all["graphs"][0]["rows"].size(), count);
}

TEST_F(bench, a_list_of_edges_is_the_same_graph) {
  const std::string without_hubs = "er:n=1000,m=4000";  // a note would speak of them
  ASSERT_EQ(folder.run({"generate", without_hubs, "-o", "made.el"}).exit_code, 0);
  ASSERT_EQ(folder.run({"generate", "rmat:scale=10,edges=8", "-o", "made.sg"}).exit_code, 0);
  const json lists = report({"rmat:scale=10,edges=8", "made.sg", "--input", "coo", "--variants", "serial.*,auto", "--trials", "1"});
  const json rows = report({"rmat:scale=10,edges=8", "--variants", "serial.none.rem", "--trials", "1"});
  for (const json& graph : lists["graphs"]) {
    for (const char* fact : {"graph_checksum", "checksum", "arcs", "edges", "components"})
      EXPECT_EQ(graph[fact], rows["graphs"][0][fact]) << fact;
    for (const json& entry : graph["rows"]) EXPECT_EQ(entry["input"], "coo");
    EXPECT_GT(graph["rows"].size(), 3u);
  }
  // A generator's list has loops and repeats, that of rows has none; a file of rows has no other list.
  EXPECT_EQ(lists["graphs"][0]["list_edges"], 8192);
  EXPECT_EQ(lists["graphs"][1]["list_edges"], rows["graphs"][0]["edges"]);
  EXPECT_FALSE(rows["graphs"][0].contains("list_edges"));
  const json other = report({"rmat:scale=10,edges=8,seed=2", "--variants", "serial.none.rem", "--trials", "1"});
  EXPECT_NE(other["graphs"][0]["graph_checksum"], rows["graphs"][0]["graph_checksum"]);
  const json listed = report({"made.el", without_hubs, "--variants", "serial.none.rem", "--trials", "1"});
  EXPECT_EQ(listed["graphs"][0]["edges"], listed["graphs"][1]["edges"]);
}

TEST_F(bench, lists_come_in_any_order_and_may_be_overwritten) {
  for (const std::string order : {"file", "sorted", "random"}) {
    for (const bool in_place : {false, true}) {
      std::vector<std::string> arguments{"rmat:scale=9,edges=8",
                                         "--input",
                                         "coo",
                                         "--order",
                                         order,
                                         "--variants",
                                         "auto,serial.none.cc,serial.none.cc_updt,threads.none.sv_updt,threads.stages.cc",
                                         "--threads",
                                         "2",
                                         "--trials",
                                         "2"};
      if (in_place) arguments.emplace_back("--in-place");
      const json found = report(arguments);
      EXPECT_EQ(found["order"], order);
      EXPECT_EQ(found["in_place"], in_place);
      const json& graph = found["graphs"][0];
      EXPECT_EQ(graph["list_edges"] == graph["edges"], order == "sorted");
      ASSERT_EQ(graph["rows"].size(), 5u);
      for (const json& entry : graph["rows"]) EXPECT_FALSE(entry.contains("wrong")) << entry;
    }
  }
}

TEST_F(bench, the_preset_of_the_papers_is_a_few_options) {
  const json lists = report({"karate", "--preset", "paper", "--input", "coo", "--variants", "serial.stages.cc", "--trials", "1"});
  EXPECT_EQ(lists["in_place"], true);
  EXPECT_EQ(lists["order"], "random");
  EXPECT_EQ(lists["hb_arcs"], 4);
  EXPECT_EQ(lists["gpu_rows"], "gathered");
  const json rows = report({"karate", "--hb-arcs", "3", "--preset", "paper", "--kout-rounds", "1", "--stages-q", ".75", "--ldd-beta", ".3",
                            "--variants", "serial.hb.async.naive,serial.kout.afforest", "--trials", "1"});
  EXPECT_EQ(rows["hb_arcs"], 3);
  EXPECT_EQ(rows["kout_rounds"], 1);
  EXPECT_EQ(rows["stages_q"], .75);
  EXPECT_EQ(rows["ldd_beta"], .3);
  EXPECT_FALSE(rows.contains("in_place"));
}

TEST_F(bench, what_is_counted_is_the_form_that_is_measured) {
  const auto arcs_of = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"er:n=2000,m=4000", "--input", "coo", "--order", "sorted", "--variants", "serial.none.cc_updt", "--trials",
                             "1", "--count"});
    return report(more)["graphs"][0]["rows"][0]["work"]["finish_arcs"].get<std::uint64_t>();
  };
  EXPECT_LT(arcs_of({}), arcs_of({"--in-place"}));  // the copy drops edges whose ends have met
  EXPECT_EQ(arcs_of({"--preset", "paper"}), arcs_of({"--in-place", "--hb-arcs", "4"}));
}

TEST_F(bench, numbers_of_samplers_change_what_they_do) {
  const auto sampled = [this](const std::string& option, const std::string& number) {
    const json counted = report(
        {"er:n=2000,m=20000", option, number, "--variants", "serial.kout.async.naive,serial.hb.async.naive", "--trials", "1", "--count"});
    std::uint64_t arcs = 0;
    for (const json& entry : counted["graphs"][0]["rows"]) arcs += entry["work"]["sampled_arcs"].get<std::uint64_t>();
    return arcs;
  };
  EXPECT_LT(sampled("--kout-rounds", "1"), sampled("--kout-rounds", "3"));
  EXPECT_LT(sampled("--hb-arcs", "1"), sampled("--hb-arcs", "6"));
}

TEST_F(bench, screening_and_yardstick) {
  const json all = report({"grid2d:side=300", "--variants", "serial.none.rem,serial.none.async.*", "--within", "1", "--give-up", "1000",
                           "--trials", "3", "--yardstick"});
  EXPECT_EQ(all["within"], 1.0);
  EXPECT_EQ(all["give_up"], 1000.0);
  unsigned out = 0, measured = 0, loops = 0;
  for (const json& entry : all["graphs"][0]["rows"]) {
    (entry["screened_out"].get<bool>() ? out : measured) += 1;
    EXPECT_EQ(entry["seconds"]["samples"].size(), entry["screened_out"].get<bool>() ? 1u : 3u);
    loops += entry["variant"].get<std::string>().starts_with("ten_line_loop");
  }
  EXPECT_EQ(measured, 1u);  // within 1 of the best is the best alone
  EXPECT_GT(out, 3u);
  EXPECT_EQ(loops, 2u);
}

TEST_F(bench, json_goes_to_a_file_and_the_table_to_stdout) {
  const std::string printed = folder.output({"bench", "karate", "--variants", "serial.none.rem", "--json", "out.json"});
  EXPECT_TRUE(printed.starts_with("karate: 34 vertices")) << printed;
  EXPECT_EQ(folder.files(), std::vector<std::string>{"out.json"});
  EXPECT_EQ(json::parse(folder.read("out.json"))["graphs"].size(), 1u);
}

TEST_F(bench, a_bad_graph_does_not_take_the_others_with_it) {
  const outcome ended = folder.run({"bench", "karate", "missing.el", "--variants", "serial.none.rem", "--json", "out.json"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.err, "missing.el: no such file\n");
  EXPECT_EQ(json::parse(folder.read("out.json"))["graphs"].size(), 1u);
  EXPECT_EQ(folder.run({"bench", "missing.el", "--variants", "serial.none.rem", "--json", "none.json"}).exit_code, 2);
  EXPECT_FALSE(folder.has("none.json"));
}

TEST_F(bench, progress_names_the_variant) {
  const outcome ended = folder.run({"bench", "karate", "--variants", "serial.none.rem", "--threads", "1", "--progress", "always"});
  EXPECT_NE(ended.err.find("copse: "), std::string::npos) << ended.err;
}

TEST_F(bench, misuse) {
  folder.write("one_way.adj", "AdjacencyGraph\n2\n1\n0\n1\n1\n");
  const std::string all = " (copse variants lists all)";
  expect_misuse({}, "copse: GRAPH is required (see copse bench --help)");
  expect_misuse({"karate", "karate"}, "copse: bench measures every GRAPH once: leave out the second karate");
  expect_misuse(
      {"karate", "--variants", "gpu.*"},
      "copse: --variants: no variant for --input csr matches gpu.*; copse variants lists all, and a pattern is a text such as threads.*");
  // A name gets the reason that --variant gives.
  const std::string reason = folder.run({"components", "karate", "--variant", "gpu.none.rem"}).err;
  expect_misuse({"karate", "--variants", "serial.none.rem,gpu.none.rem"}, "copse: --variants" + reason.substr(16, reason.size() - 17));
  const std::string sampled = folder.refusal({"bench", "karate", "--variants", "threads.kout.ecl", "--input", "coo"});
  EXPECT_TRUE(sampled.starts_with("copse: --variants threads.kout.ecl: ")) << sampled;
  EXPECT_NE(sampled.find("edge list"), std::string::npos) << sampled;
  expect_misuse({"karate", "--variants", "auto,,*"}, "copse: --variants takes patterns such as serial.*,auto, not auto,,*");
  expect_misuse({"karate", "--threads", "1,0"}, "copse: --threads takes whole numbers from 1 to 65536 such as 1,16, not 1,0");
  expect_misuse({"karate", "--trials", "0"}, "copse: --trials takes a whole number from 1 to 1000000, not 0");
  expect_misuse({"karate", "--within", "0.5"}, "copse: --within takes a number from 1, not 0.5");
  expect_misuse({"karate", "--give-up", "inf"}, "copse: --give-up takes a number from 1, not inf");
  expect_misuse({"karate", "--input", "rows"}, "copse: --input takes csr or coo, not rows");
  expect_misuse({"karate", "--order", "random"}, "copse: --order needs --input coo: rows have one order and stay as they are");
  expect_misuse({"karate", "--in-place"}, "copse: --in-place needs --input coo: rows have one order and stay as they are");
  expect_misuse({"karate", "--input", "coo", "--order", "best"}, "copse: --order takes file, sorted or random, not best");
  expect_misuse({"karate", "--preset", "mine"}, "copse: --preset takes paper, not mine");
  expect_misuse({"karate", "--stages-q", "0"}, "copse: --stages-q takes a number above 0, not 0");
  expect_misuse({"karate", "--ldd-beta", "1"}, "copse: --ldd-beta takes a number above 0 and below 1, not 1");
  expect_misuse({"karate", "--yardstick", "--input", "coo"}, "copse: --yardstick needs --input csr: the loop walks rows");
  expect_misuse({"one_way.adj", "--yardstick"},
                "copse: --yardstick needs sorted rows of both directions, which one_way.adj does not have: the loop looks at smaller "
                "neighbours only");
  expect_misuse({"karate", "--json", "no/such/folder.json"}, "no/such/folder.json: the folder no/such does not exist");
}

TEST_F(bench, count_adds_what_a_solve_does) {
  const json counted =
      report({"star:n=101", "--variants", "threads.kout.async.naive,threads.hb.fast", "--threads", "1", "--trials", "1", "--count"});
  for (const auto& entry : counted["graphs"][0]["rows"]) {
    if (entry["variant"] == "threads.hb.fast") {
      EXPECT_FALSE(entry.contains("work")) << "the fast path is not counted";
    } else {
      EXPECT_EQ(entry["work"]["sampled_arcs"], 102);  // one arc of each row, and the second of the centre's
      EXPECT_EQ(entry["work"]["giant_vertices"], 101);
      EXPECT_EQ(entry["work"]["finish_arcs"], 0);
    }
  }
  const outcome table =
      folder.run({"bench", "star:n=101", "--variants", "threads.kout.async.naive", "--threads", "1", "--trials", "1", "--count"});
  EXPECT_NE(table.out.find("giant %"), std::string::npos);
  EXPECT_NE(table.out.find("  100.00    0.000     0.000"), std::string::npos) << table.out;
}

TEST_F(bench, the_zoo_says_what_its_budget_leaves_out) {
  const json found = report({"--zoo", "speed", "--sizes", "16384", "--budget", "1", "--threads", "1,2", "--trials", "2"});
  const auto& graphs = found["graphs"];
  ASSERT_FALSE(graphs.empty());
  EXPECT_EQ(graphs.size() + found["left_out"].size(), 37u * 4 + 9);
  for (const auto& graph : graphs) {
    EXPECT_EQ(graph["screening"].size(), 2 * found["variants"].size());
    EXPECT_EQ(graph["rows"].size(), 2u * 3);
    EXPECT_EQ(graph["ratios"].size(), 2u) << graph["graph"];
    for (const auto& entry : graph["rows"]) EXPECT_EQ(entry["seconds"]["samples"].size(), 2u);
  }
  EXPECT_EQ(found["summary"].size(), 2u);
  if (graphs.size() == 1) GTEST_SKIP() << "this machine is so busy that its second takes one graph";
  // Both orders of the rows are one graph, whose checksum knows no order.
  EXPECT_EQ(graphs[0]["spec"], graphs[1]["spec"]);
  EXPECT_EQ(graphs[0]["order"], "sorted");
  EXPECT_EQ(graphs[1]["order"], "unsorted");
  EXPECT_EQ(graphs[0]["checksum"], graphs[1]["checksum"]);
  EXPECT_EQ(graphs[0]["graph_checksum"], graphs[1]["graph_checksum"]);
}

TEST_F(bench, the_zoo_is_fixed) {
  expect_misuse({"--zoo", "fast"}, "copse: --zoo takes speed, not fast");
  expect_misuse({"--zoo", "speed", "karate"}, "copse: GRAPH cannot be used with --zoo, whose graphs and variants are fixed");
  expect_misuse({"--zoo", "speed", "--variants", "auto"},
                "copse: --variants cannot be used with --zoo, whose graphs and variants are fixed");
  expect_misuse({"karate", "--sizes", "2048"}, "copse: --sizes needs --zoo speed");
  expect_misuse({"--zoo", "speed", "--sizes", "5"},
                "copse: --sizes takes whole numbers from 1024 to 2147483648 such as 65536,524288, not 5");
  expect_misuse({"--zoo", "speed", "--device", "cuda", "--threads", "2"}, "copse: --threads cannot be used with --device cuda");
}

}  // namespace
}  // namespace copse::cli_test
