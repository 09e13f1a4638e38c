// copse bench --program, end to end: other programs take turns, and what they print is read and checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "../../cli/machine.hpp"
#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

class bench_program : public ::testing::Test {
protected:
  void SetUp() override {
    if (!cli::unfit_to_measure.empty()) GTEST_SKIP() << "this is " << cli::unfit_to_measure << ", which copse bench refuses";
    folder.write("three.el", "1 2\n3 4\n5 6\n6 7\n");
  }

  [[nodiscard]] outcome bench(std::vector<std::string> arguments) const {
    std::vector<std::string> all{"bench", "three.el", "--variants", "serial.none.rem", "--trials", "3"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return folder.run(all);
  }
  /// The rows of the programs, of one graph.
  [[nodiscard]] static std::vector<json> rows_of(const outcome& ended) {
    std::vector<json> rows;
    const json report = json::parse(ended.out);
    for (const json& row : report["graphs"][0]["rows"]) {
      if (row["input"] == "program") rows.push_back(row);
    }
    return rows;
  }
  /// The first sample of a program that prints this, and has 3 components.
  [[nodiscard]] double seconds_of(const std::string& printed, std::vector<std::string> arguments = {}) const {
    folder.write("printed.txt", printed);
    arguments.insert(arguments.end(), {"--program", "cat: cat printed.txt # {graph}", "--json", "-"});
    const outcome ended = bench(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    const auto rows = rows_of(ended);
    return rows.empty() ? -1 : rows[0]["seconds"]["samples"][0].get<double>();
  }

  workplace folder;
};

constexpr const char* gapbs =
    "Read Time:           0.00013\nGraph has 8 nodes and 4 undirected edges for degree: 0\nTrial Time:          0.00002\n\n"
    "2 biggest clusters\n3:5\n2:1\nThere are 3 components\nAverage Time:        0.00003\n";

TEST_F(bench_program, takes_turns_and_its_own_seconds_are_the_samples) {
  folder.write("printed.txt", gapbs);
  const outcome ended = bench({"--program", "gapbs: test -r {graph} && cat printed.txt", "--json", "-"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(json::parse(ended.out)["programs"], (json{{"gapbs", "test -r {graph} && cat printed.txt"}}));
  const auto rows = rows_of(ended);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["variant"], "gapbs");
  EXPECT_EQ(rows[0]["threads"], 0);
  EXPECT_EQ(rows[0]["seconds"]["samples"], json({.00003, .00003, .00003}));
  for (const json& turn : rows[0]["turns"]) EXPECT_TRUE(turn == 1 || turn == 2) << turn;
  EXPECT_FALSE(rows[0].contains("wrong"));

  const outcome table = bench({"--program", "gapbs: cat printed.txt # {graph}"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("       0.030  "), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("        -  gapbs\n"), std::string::npos) << table.out;
}

TEST_F(bench_program, reads_what_programs_usually_print) {
  EXPECT_DOUBLE_EQ(seconds_of("compute time: 0.0001 s\nthroughput: 12 Medges/s\nnumber of connected components: 3\n"), .0001);
  EXPECT_DOUBLE_EQ(seconds_of("components = 3, largest 40\nelapsed .02 ms\n"), .00002);
  EXPECT_DOUBLE_EQ(seconds_of("3 connected components in 5us\n"), .000005);
  EXPECT_DOUBLE_EQ(seconds_of("time 9\ntime 1e-5\r\n9 components\n3 components\n"), .00001);
  EXPECT_DOUBLE_EQ(seconds_of("STAT, CC, Time, HMAX, 0.0004\n#parts 3\ntime 9\n4 components\n",
                              {"--program-seconds", "hmax, ([0-9.]+)( ms)?", "--program-components", "cat: #parts ([0-9]+)"}),
                   .0004);
  EXPECT_DOUBLE_EQ(
      seconds_of("wall 7 us, 3 components\n", {"--program-seconds", "time: ([0-9]+)", "--program-seconds", "cat: us: wall ([0-9]+)"}),
      .000007);
}

TEST_F(bench_program, is_compared_with_the_variants_of_its_file) {
  ASSERT_EQ(bench({"--program", "rival: echo time 0.005, 3 components {graph}", "--json", "all.json"}).exit_code, 0);
  const std::string text = folder.output({"bench", "compare", "all.json", "--against", "rival"});
  EXPECT_NE(text.find("base: rival\n"), std::string::npos) << text;
  EXPECT_NE(text.find("       5.000  "), std::string::npos) << text;
  EXPECT_NE(text.find("serial.none.rem\n"), std::string::npos) << text;
}

TEST_F(bench_program, may_print_more_than_is_kept) {
  EXPECT_EQ(bench({"--program", "p: yes {graph} | head -c 40000000; echo; echo time 0.00001, 3 components"}).exit_code, 0);
}

TEST_F(bench_program, with_other_threads_is_another_line) {
  const outcome ended = bench({"--program", "p: echo time 0.000{threads} 3 components {graph}", "--threads", "1,2", "--json", "-"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  auto rows = rows_of(ended);
  ASSERT_EQ(rows.size(), 2u);
  std::ranges::sort(rows, {}, [](const json& row) { return row["threads"].get<unsigned>(); });
  EXPECT_EQ(rows[0]["seconds"]["median"], .0001);
  EXPECT_EQ(rows[1]["seconds"]["median"], .0002);
}

TEST_F(bench_program, gets_a_copy_of_the_graph_in_the_format_that_it_reads) {
  setenv("TMPDIR", folder.folder().c_str(), 1);
  for (const char* suffix : {".sg", ".mtx", ".egr", ".coo"}) {
    const std::string copse_itself = std::string{"copse: "} + COPSE_BINARY + " components {graph" + suffix + "} --json";
    const outcome ended = bench({"er:n=500,m=400", "--program", copse_itself, "--program-seconds", "\"solve\": ([0-9.e-]+)",
                                 "--program-components", "^  \"components\": ([0-9]+)"});
    const bool keeps_isolated = std::string{suffix} != ".coo";
    EXPECT_EQ(ended.exit_code, keeps_isolated ? 0 : 1) << suffix << ended.err;
    EXPECT_EQ(ended.out.find("WRONG COUNT") == std::string::npos, keeps_isolated) << suffix << ended.out;
  }
  unsetenv("TMPDIR");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"three.el"});
}

TEST_F(bench_program, that_fails_is_told_and_the_others_go_on) {
  const outcome ended =
      bench({"--program", "count: echo time 0.00001, 4 components {graph}", "--program", "status: echo bad file {graph}; exit 3",
             "--program", "silent: true {graph}", "--program", "uncounted: echo time 0.00001 {graph}", "--program",
             "killed: kill -9 $$ {graph}", "--program", "minutes: echo time 12, 3 components {graph}", "--program",
             "slow: sleep 100 # {graph}", "--program-limit", "0.5", "--program", "right: echo time 0.00001, 3 components {graph}"});
  EXPECT_EQ(ended.exit_code, 1);
  const std::vector<std::string> lines{
      "count (program): found 4 components, expected 3\n",
      "status (program): found exit status 3, expected 0; its last line: bad file three.el\n",
      "silent (program): found no seconds in what it printed, expected a line that --program-seconds finds; it printed nothing\n",
      "uncounted (program): found no number of components in what it printed, expected a line that --program-components finds; its last "
      "line: time 0.00001 three.el\n",
      "killed (program): found signal 9, expected an end; it printed nothing\n",
      "minutes (program): found 12 s in what it printed, expected at most the ",
      "slow (program): found no answer after 0.5 s; it printed nothing\n"};
  for (const std::string& line : lines) EXPECT_NE(ended.err.find("copse: three.el: " + line), std::string::npos) << line << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 7) << ended.err;
  EXPECT_NE(ended.out.find("count  (WRONG COUNT)"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("-  right\n"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("serial.none.rem\n"), std::string::npos) << ended.out;
}

TEST_F(bench_program, is_refused_where_it_makes_no_sense) {
  const auto refusal = [&](std::vector<std::string> arguments) {
    const outcome ended = bench(std::move(arguments));
    EXPECT_EQ(ended.exit_code, 2) << ended.out;
    return ended.err;
  };
  EXPECT_EQ(refusal({"--program", "./cc -f {graph}"}),
            "copse: --program: found ./cc -f {graph}, expected NAME: COMMAND, such as gapbs: ./cc -f {graph.sg} -n 1 -a\n");
  EXPECT_EQ(refusal({"--program", "cc: ./cc"}),
            "copse: --program cc: found no {graph} in its command, expected it where the program takes its file\n");
  EXPECT_EQ(refusal({"--program", "auto: ./cc {graph}"}),
            "copse: --program: found the name auto twice, expected another name than those of variants and programs\n");
  EXPECT_EQ(refusal({"--program", "cc: ./cc {graph}", "--program", "cc: ./cc {graph}"}),
            "copse: --program: found the name cc twice, expected another name than those of variants and programs\n");
  EXPECT_EQ(refusal({"--program", "cc: ./cc {graph}", "--program-seconds", "time"}),
            "copse: --program-seconds: found time, expected a group in it, such as Time: ([0-9.]+)\n");
  EXPECT_NE(refusal({"--program", "cc: ./cc {graph}", "--program-components", "("}).find("expected a regular expression"),
            std::string::npos);
  EXPECT_NE(refusal({"--program", "cc: ./cc {graph.doc}"}).find("graph.doc: found the suffix .doc, expected .sg"), std::string::npos);
  const outcome generated = folder.run({"bench", "karate", "--variants", "auto", "--program", "cc: ./cc {graph}"});
  EXPECT_EQ(generated.exit_code, 2);
  EXPECT_EQ(generated.err,
            "copse: --program cc: found karate, which is no file, expected one for {graph}, or {graph.sg} for a copy of the graph\n");
}

TEST_F(bench_program, ends_with_copse_and_leaves_no_file) {
  setenv("TMPDIR", folder.folder().c_str(), 1);
  const pid_t started =
      folder.start({"bench", "three.el", "--variants", "auto", "--program", "slow: echo $$ > pid; exec sleep 100 # {graph.sg}"});
  unsetenv("TMPDIR");
  for (int i = 0; i < 2000 && (!folder.has("pid") || folder.read("pid").empty()); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  const pid_t program = static_cast<pid_t>(std::stol(folder.read("pid")));
  EXPECT_EQ(kill(program, 0), 0);
  EXPECT_EQ(folder.files().size(), 3u);  // the graph, its copy and pid
  kill(started, SIGTERM);
  EXPECT_EQ(folder.finish(started).signal, SIGTERM);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"pid", "three.el"}));
  for (int i = 0; i < 500 && kill(program, 0) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{10});
  const std::string state = "/proc/" + std::to_string(program) + "/stat";
  if (kill(program, 0) == 0) {  // a process that has ended, but that its new parent has not waited for
    std::ifstream file{state};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    EXPECT_NE(text.find(") Z "), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace copse::cli_test
