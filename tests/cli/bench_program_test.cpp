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

/// Has it ended? It may wait for a parent that asks how.
bool is_gone(pid_t process) {
  if (kill(process, 0) != 0) return true;
  std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return text.find(") Z ") != std::string::npos;
}

bool is_gone_soon(pid_t process) {
  for (int i = 0; i < 500 && !is_gone(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{10});
  return is_gone(process);
}

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
  EXPECT_DOUBLE_EQ(seconds_of("3 connected components, Time=5usec.\n"), .000005);
  EXPECT_DOUBLE_EQ(seconds_of("Time in seconds: 0.00002 for 16 threads\n3 components\n", {"--program-seconds", "seconds: ([0-9.]+)"}),
                   .00002);
  EXPECT_DOUBLE_EQ(seconds_of("time per phase below\ntime 0.00001 sec in all, elapsed 0.00002 s\n3 components\n"), .00001);
  EXPECT_DOUBLE_EQ(seconds_of("time 9\ntime 1e-5\r\n9 components\n3 components\n"), .00001);
  EXPECT_DOUBLE_EQ(seconds_of("STAT, CC, Time, HMAX, 0.0004\n#parts 3\ntime 9\n4 components\n",
                              {"--program-seconds", "hmax, ([0-9.]+)( ms)?", "--program-components", "cat: #parts ([0-9]+)"}),
                   .0004);
  EXPECT_DOUBLE_EQ(
      seconds_of("wall 7 us, 3 components\n", {"--program-seconds", "time: ([0-9]+)", "--program-seconds", "cat: us: wall ([0-9]+)"}),
      .000007);
}

TEST_F(bench_program, prints_seconds_that_are_clear_or_fails) {
  for (const std::string line : {"Time (ms): 0.43", "time_ms=0.43", "elapsed 12.3 milliseconds", "runtime: 3 min", "Total time 1,234.5 s",
                                 "Time for 16 threads: 0.2 s", "time: 2:03", "time 1 234.5 s", "time 12 s/iteration", "time 5 %"}) {
    folder.write("printed.txt", "read time: 0.00001 s\n" + line + "\n3 components\n");
    const outcome ended = bench({"--program", "cat: cat printed.txt # {graph}"});
    EXPECT_EQ(ended.exit_code, 1) << line;
    EXPECT_EQ(ended.err,
              "copse: three.el: cat (program): it printed no line with seconds that --program-seconds finds; its last "
              "line: 3 components\n")
        << line;
  }
}

TEST_F(bench_program, is_compared_with_the_variants_of_its_file) {
  ASSERT_EQ(bench({"--program", "rival: sleep 0.05; echo time 0.005, 3 components {graph}", "--json", "all.json"}).exit_code, 0);
  const std::string text = folder.output({"bench", "compare", "all.json", "--against", "rival"});
  EXPECT_NE(text.find("base: rival\n"), std::string::npos) << text;
  EXPECT_NE(text.find("       5.000  "), std::string::npos) << text;
  EXPECT_NE(text.find("serial.none.rem\n"), std::string::npos) << text;
}

TEST_F(bench_program, may_print_more_than_is_kept) {
  EXPECT_EQ(bench({"--program", "p: yes {graph} | head -c 40000000; echo; echo time 0.00001, 3 components"}).exit_code, 0);
}

TEST_F(bench_program, with_other_threads_is_another_line) {
  const outcome ended = bench({"--program", "p: echo time 0.000{threads}, 3 components {graph}", "--threads", "1,2", "--json", "-"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  auto rows = rows_of(ended);
  ASSERT_EQ(rows.size(), 2u);
  std::ranges::sort(rows, {}, [](const json& row) { return row["threads"].get<unsigned>(); });
  EXPECT_EQ(rows[0]["seconds"]["median"], .0001);
  EXPECT_EQ(rows[1]["seconds"]["median"], .0002);
}

TEST_F(bench_program, gets_a_copy_of_the_graph_in_the_format_that_it_reads) {
  setenv("TMPDIR", folder.folder().c_str(), 1);
  // Both directions of every edge, though the file has one.
  folder.write("one_way.adj", "AdjacencyGraph\n3\n2\n0\n2\n2\n1\n2\n");
  const outcome rows =
      folder.run({"bench", "one_way.adj", "--variants", "auto", "--trials", "1", "--program",
                  "p: tr '\\n' ' ' < {graph.adj} | grep -qx 'AdjacencyGraph 3 4 0 2 3 1 2 0 0 ' && echo time 0.00001, 1 component"});
  EXPECT_EQ(rows.exit_code, 0) << rows.err;
  std::filesystem::remove(folder.folder() / "one_way.adj");
  for (const char* suffix : {".sg", ".mtx", ".egr", ".vgr"}) {
    const std::string copse_itself = std::string{"copse: "} + COPSE_BINARY + " components {graph" + suffix + "} --json";
    const outcome ended = bench({"er:n=500,m=400", "--program", copse_itself, "--program-seconds", "\"solve\": ([0-9.e-]+)",
                                 "--program-components", "^  \"components\": ([0-9]+)"});
    EXPECT_EQ(ended.exit_code, 0) << suffix << ended.err;
  }
  for (const std::string name : {"graph.coo", "graph.el", "graph.csv.gz"}) {
    const outcome listed = folder.run({"bench", "er:n=500,m=400", "--variants", "auto", "--program", "p: cat {" + name + "}"});
    EXPECT_EQ(listed.exit_code, 2) << listed.out;
    EXPECT_NE(listed.err.find("copse: --program p: {" + name + "} cannot hold er:n=500,m=400, which has "), std::string::npos)
        << listed.err;
    EXPECT_NE(listed.err.find("write a copy as .sg .egr .adj .gr .vgr or .mtx\n"), std::string::npos) << listed.err;
  }
  const outcome ended = bench({"--program", "p: test -s {graph.coo} && echo time 0.00001, 3 components"});  // nothing is isolated
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  setenv("TMPDIR", (folder.folder() / "none").c_str(), 1);
  EXPECT_EQ(bench({"--program", "p: cat {graph.sg}"}).err,
            "{graph.sg}: there is no folder for temporary files (No such file or directory): set TMPDIR to one\n");
  unsetenv("TMPDIR");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"three.el"});
}

TEST_F(bench_program, that_fails_is_told_and_the_others_go_on) {
  const outcome ended = bench({"--program",       "count: echo time 0.00001, 4 components {graph}",
                               "--program",       "status: echo bad file {graph}; exit 3",
                               "--program",       "silent: true {graph}",
                               "--program",       "uncounted: echo time 0.00001 # {graph}",
                               "--program",       "killed: kill -9 $$ {graph}",
                               "--program",       "minutes: echo time 12, 3 components {graph}",
                               "--program",       "coarse: echo time 0.00, 3 components {graph}",
                               "--program",       "slow: sleep 100 # {graph}",
                               "--program-limit", "0.5",
                               "--program",       "right: echo time 0.00001, 3 components {graph}"});
  EXPECT_EQ(ended.exit_code, 1);
  const std::vector<std::string> lines{
      "count (program): found 4 components, expected 3\n",
      "status (program): it ended with exit status 3; its last line: bad file three.el\n",
      "silent (program): it printed no line with seconds that --program-seconds finds; it printed nothing\n",
      "uncounted (program): it printed no line with a number of components that --program-components finds; its last "
      "line: time 0.00001\n",
      "killed (program): signal 9 ended it; it printed nothing\n",
      "minutes (program): it printed 12 s, but ran for ",
      "coarse (program): it printed 0 for seconds: the run is shorter than its clock can tell\n",
      "slow (program): it did not end within 0.5 s; it printed nothing\n"};
  for (const std::string& line : lines) EXPECT_NE(ended.err.find("copse: three.el: " + line), std::string::npos) << line << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 8) << ended.err;
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
            "copse: --program takes NAME: COMMAND, such as gapbs: ./cc -f {graph.sg} -n 1 -a, not ./cc -f {graph}\n");
  EXPECT_EQ(refusal({"--program", "cc: ./cc"}), "copse: --program cc: write {graph} in its command where the program takes its file\n");
  EXPECT_EQ(refusal({"--program", "auto: ./cc {graph}"}),
            "copse: --program: auto is the name of a variant or of another program; give it another name\n");
  EXPECT_EQ(refusal({"--program", "cc: ./cc {graph}", "--program", "cc: ./cc {graph}"}),
            "copse: --program: cc is the name of a variant or of another program; give it another name\n");
  EXPECT_EQ(refusal({"--program", "cc: ./cc {graph}", "--program-seconds", "time"}),
            "copse: --program-seconds: time has no group in parentheses; write one around the number, as in Time: ([0-9.]+)\n");
  EXPECT_NE(refusal({"--program", "cc: ./cc {graph}", "--program-components", "("}).find("is not a regular expression"), std::string::npos);
  EXPECT_NE(refusal({"--program", "cc: ./cc {graph.doc}"}).find("graph.doc: found the suffix .doc, expected .sg"), std::string::npos);
  const outcome generated = folder.run({"bench", "karate", "--variants", "auto", "--program", "cc: ./cc {graph}"});
  EXPECT_EQ(generated.exit_code, 2);
  EXPECT_EQ(generated.err,
            "copse: --program cc: {graph} is the name of the file, and karate is no file; write {graph.sg} for a copy of the graph\n");
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
  EXPECT_TRUE(is_gone_soon(program));
}

TEST_F(bench_program, leaves_nothing_running_in_the_background) {
  const outcome ended = bench({"--program", "p: sleep 1000 & echo $! > pid; echo time 0.00001, 3 components # {graph}"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(is_gone_soon(static_cast<pid_t>(std::stol(folder.read("pid")))));
}

TEST_F(bench_program, finds_its_file_whatever_it_is_called) {
  const std::string name = "a'b $(touch run)`touch run`.el";
  folder.write(name, "1 2\n");
  const auto bench_it = [&](const std::string& command) {
    return folder.run({"bench", name, "--variants", "auto", "--trials", "1", "--program", command});
  };
  for (const std::string taken :
       {"test -f {graph}", "test -f ./{graph}", "test -f \"$(printf %s {graph})\"", "x='a' y=\"it's\" test -f {graph}",
        "echo {graph} | grep -q touch", "T=\"${T}\" test -f {graph} # it's\n true", "test $# = 0 && test -f {graph}"}) {
    const outcome ended = bench_it("p: " + taken + " && echo time 0.00001, 1 component");
    EXPECT_EQ(ended.exit_code, 0) << taken << ended.err;
  }
  for (const std::string refused :
       {"test -f '{graph}'", "test -f \"{graph}\"", "sh -c 'test -f {graph}'", "test -f `echo {graph}`", "echo \"$(echo \"{graph}\")\"",
        "cat <<E\n{graph}\nE\n", "echo ${x:-{graph}}", "echo \"a\\\"{graph}\"", "# it's\necho '{graph}'"}) {
    const outcome ended = bench_it("p: " + refused);
    EXPECT_EQ(ended.exit_code, 2) << refused;
    EXPECT_EQ(ended.err,
              "copse: --program p: {graph} must not stand in quotes, in backquotes, in ${} or behind <<: copse puts quotes around the name "
              "of the "
              "file\n")
        << refused;
  }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{name, "three.el"}));
}

}  // namespace
}  // namespace copse::cli_test
