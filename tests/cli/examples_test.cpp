// Three examples end the help of every command, and all of them run.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>

#include "run_copse.hpp"
#include "support/sanitized.hpp"

namespace copse::cli_test {
namespace {

std::vector<std::string> examples_of(const std::string& help) {
  std::vector<std::string> lines;
  const auto at = help.find("\nExamples:\n");
  if (at == std::string::npos) return lines;
  std::istringstream rest{help.substr(at + 11)};
  for (std::string line; std::getline(rest, line);) {
    if (line.starts_with("  ")) lines.push_back(line.substr(2));
  }
  return lines;
}

/// What the examples work on.
void write_files(const workplace& folder) {
  folder.write("pairs.csv", "id_l,id_r,score\nann,bob,0.95\nbob,cid,0.5\n");
  folder.write("truth.csv", "id,entity\nann,A\nbob,A\n");
  folder.write("people.csv", "record,email,phone,address\n1,a@x,11,\n2,a@x,12,here\n3,,12,\n");
  folder.write("web.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n3 1\n");
  folder.write("roads.gr", "p sp 4 2\na 1 2 5\na 3 4 5\n");
  folder.write("edges.el", "1 2\n2 30\n7 8\n");
  ASSERT_EQ(folder.run({"convert", "edges.el", "edges.el.gz", "--output-format", "el"}).exit_code, 0);
  const std::string bench = R"({"benchmark":"bench","machine":{},"threads":[1],"graphs":[{"graph":"g","graph_checksum":"1","checksum":"1",)"
                            R"("rows":[{"variant":"serial.none.rem","input":"csv","threads":1,"seconds":{"samples":[1,2,3]}},)"
                            R"({"variant":"serial.none.dfs","input":"csv","threads":1,"seconds":{"samples":[2,3,4]}}]}]})";
  folder.write("before.json", bench);
  folder.write("after.json", bench);
}

bool runs(const workplace& folder, const std::string& line) {
  folder.write(".harness.sh", "set -e -o pipefail\ncopse() { '" COPSE_BINARY "' \"$@\"; }\n" + line + "\n");
  const int status =
      std::system(("cd '" + folder.folder().string() + "' && timeout 300 bash .harness.sh > .harness.o 2> .harness.e < /dev/null").c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(help, of_every_command_ends_with_three_examples_that_run) {
  const workplace folder;
  write_files(folder);
  const std::string man = folder.run({"man"}).out;
  std::vector<std::string> commands;
  std::istringstream help{folder.run({"--help"}).out};
  bool listed = false;
  for (std::string line; std::getline(help, line);) {
    if (listed && line.starts_with("  ") && line[2] != ' ') commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    listed = line == "Subcommands:" || (listed && line.starts_with(" "));
  }
  EXPECT_GE(commands.size(), 14u);
  commands.emplace_back("bench compare");
  for (const std::string& command : commands) {
    std::vector<std::string> words;
    std::istringstream split{command};
    for (std::string word; split >> word;) words.push_back(word);
    words.emplace_back("--help");
    const std::vector<std::string> lines = examples_of(folder.run(words).out);
    EXPECT_EQ(lines.size(), 3u) << command;
    EXPECT_NE(man.find("Examples:"), std::string::npos);
    for (const std::string& line : lines) {
      EXPECT_NE(line.find("copse " + command), std::string::npos) << line;
      if (test::sanitized && command == "bench") continue;  // it refuses to measure
      EXPECT_TRUE(runs(folder, line)) << line << "\n" << folder.read(".harness.e");
    }
  }
}

}  // namespace
}  // namespace copse::cli_test
