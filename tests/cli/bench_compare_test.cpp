// copse bench compare on small files whose ratios and p-values are known: tests/cli/bench.
#include <gtest/gtest.h>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

std::string file(const std::string& name) { return COPSE_ROOT "/tests/cli/bench/" + name; }

TEST(bench_compare, two_files) {
  const workplace folder;
  const outcome ended = folder.run({"bench", "compare", file("a.json"), file("b.json")});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out,
            "karate\n"
            "        A ms          B ms     ratio        p  verdict          threads  variant\n"
            "      12.000        12.100     1.008   0.6905  no difference          1  serial.none.rem\n"
            "      22.000        10.200     0.464   0.0079  faster                 2  threads.none.ecl\n"
            "      32.000        64.000     2.000   0.0079  slower                 2  threads.none.async.naive\n"
            "     500.000       250.000     0.500   1.0000  too few samples        2  threads.none.few\n"
            "\n"
            "path:n=9\n"
            "        A ms          B ms     ratio        p  verdict          threads  variant\n"
            "       4.000         4.000     1.000   1.0000  no difference          1  serial.none.rem\n"
            "       8.000        16.000     2.000   0.0040  slower                 2  threads.none.ecl\n"
            "\n"
            "geometric mean of B / A\n"
            "   ratio   graphs  threads  variant\n"
            "   0.963        2        2  threads.none.ecl\n"
            "   1.004        2        1  serial.none.rem\n"
            "   0.500        1        2  threads.none.few\n"
            "   2.000        1        2  threads.none.async.naive\n");
  EXPECT_EQ(ended.err, "copse: note: left out: 1 graphs that only one file has, 2 variants without samples in both\n");
}

TEST(bench_compare, a_variant_of_the_same_file) {
  const workplace folder;
  const outcome ended = folder.run({"bench", "compare", file("a.json"), "--against", "serial.none.rem"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out,
            "base: serial.none.rem\n"
            "\n"
            "karate\n"
            "     base ms    variant ms     ratio        p  verdict          threads  variant\n"
            "      12.000        22.000     1.833   0.0079  slower                 2  threads.none.ecl\n"
            "      12.000        32.000     2.667   0.0079  slower                 2  threads.none.async.naive\n"
            "      12.000       500.000    41.667   0.3333  too few samples        2  threads.none.few\n"
            "      12.000       500.000    41.667   0.0786  too few samples        2  threads.none.gone\n"
            "\n"
            "path:n=9\n"
            "     base ms    variant ms     ratio        p  verdict          threads  variant\n"
            "       4.000         8.000     2.000   0.0040  slower                 2  threads.none.ecl\n"
            "\n"
            "geometric mean of variant / base\n"
            "   ratio   graphs  threads  variant\n"
            "   1.915        2        2  threads.none.ecl\n"
            "   2.667        1        2  threads.none.async.naive\n"
            "  41.667        1        2  threads.none.few\n"
            "  41.667        1        2  threads.none.gone\n");
  EXPECT_EQ(ended.err, "copse: note: left out: 1 variants without samples, or without serial.none.rem on their graph\n");
}

TEST(bench_compare, warns_of_another_machine_threads_and_graph) {
  const workplace folder;
  const outcome ended = folder.run({"bench", "compare", file("a.json"), file("elsewhere.json")});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_NE(ended.out.find("0.464   0.0079  faster                 3  threads.none.ecl\n"), std::string::npos) << ended.out;
  const std::string a = file("a.json"), b = file("elsewhere.json");
  EXPECT_EQ(ended.err, "copse: note: other processor: \"A\" in " + a + ", \"B\" in " + b + "\ncopse: note: other cores: 4 in " + a +
                           ", 8 in " + b + "\ncopse: note: other threads: [2] in " + a + ", [3] in " + b +
                           "\ncopse: note: other graph_checksum of karate: \"00000000000000aa\" in " + a + ", \"00000000000000bb\" in " +
                           b + "\ncopse: note: left out: 2 graphs that only one file has, 2 variants without samples in both\n");
}

void expect_refused(const workplace& folder, std::vector<std::string> arguments, const std::string& line) {
  arguments.insert(arguments.begin(), {"bench", "compare"});
  EXPECT_EQ(folder.refusal(arguments), line + "\n");
}

TEST(bench_compare, files_that_are_not_of_bench) {
  const workplace folder;
  const std::string ending = ", expected a file that copse bench --json wrote";
  folder.write("text.json", "seconds: 1\n");
  folder.write("other.json", R"({"benchmark": "solve", "machine": {}})");
  folder.write("list.json", "[1, 2]");
  folder.write("less.json", R"({"benchmark": "bench", "machine": {}, "threads": [1]})");
  folder.write("type.json", R"({"benchmark": "bench", "machine": {}, "threads": 1, "graphs": []})");
  folder.write("zero.json", R"({"benchmark": "bench", "machine": {}, "threads": [1], "graphs": [{"graph": "g", "graph_checksum": "1",
    "rows": [{"variant": "v", "input": "csr", "threads": 1, "seconds": {"samples": [0.0]}}]}]})");
  expect_refused(folder, {file("a.json"), "missing.json"}, "missing.json: no such file");
  for (const auto& [name, found] : {std::pair{"text.json", "text that is not JSON"},
                                    {"other.json", "benchmark solve"},
                                    {"list.json", "JSON where cannot use at() with array"},
                                    {"less.json", "JSON where key 'graphs' not found"},
                                    {"type.json", "JSON where type must be array, but is number"},
                                    {"zero.json", "a sample of 0.000000 seconds for v"}}) {
    expect_refused(folder, {file("a.json"), name}, std::string{name} + ": found " + found + ending);
    expect_refused(folder, {name, "--against", "v"}, std::string{name} + ": found " + found + ending);
  }
}

TEST(bench_compare, misuse) {
  const workplace folder;
  const std::string a = file("a.json"), b = file("b.json");
  const std::string usage = "copse: bench compare takes two files, A.json B.json, or one file and --against NAME";
  expect_refused(folder, {}, "copse: FILE is required (see copse bench compare --help)");
  expect_refused(folder, {a}, usage);
  expect_refused(folder, {a, b, a}, usage);
  expect_refused(folder, {a, b, "--against", "auto"}, usage);
  expect_refused(folder, {a, "--against", "auto"},
                 "copse: --against: " + a + " has no graph with samples of both auto and another variant");
  expect_refused(folder, {a, b, "--yardstick"},
                 "copse: The following argument was not expected: --yardstick (see copse bench compare --help)");
  EXPECT_EQ(folder.refusal({"bench", "karate", "compare", a, b}),
            "copse: karate cannot come before the command bench compare (a file called compare is ./compare)\n");
}

TEST(bench_compare, help_is_its_own) {
  const workplace folder;
  EXPECT_NE(folder.run({"bench", "compare", "--help"}).out.find("--against NAME"), std::string::npos);
  EXPECT_NE(folder.run({"bench", "--help"}).out.find("--give-up R"), std::string::npos);
  EXPECT_TRUE(folder.run({"bench", "compare", "--help"}).out.find("--give-up") == std::string::npos);
}

}  // namespace
}  // namespace copse::cli_test
