// Lists, completions and the manual page come from the tables and the tree of commands; shells and readers must accept them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

TEST(variants, every_listed_name_solves) {
  const workplace place;
  const auto list = nlohmann::json::parse(place.run({"variants", "--json"}).out);
  ASSERT_GT(list.size(), 20u);
  // One of each finish keeps the time short; the sweep runs them all.
  std::set<std::string> finishes;
  for (const auto& entry : list) {
    if (!entry["runs_here"].get<bool>()) continue;  // variants of a GPU, where there is none
    if (!finishes.insert(entry["finish"].get<std::string>() + entry["backend"].get<std::string>()).second) continue;
    const std::string printed = place.output({"components", "karate", "--verify", "--variant", entry["name"]});
    EXPECT_NE(printed.find("variant     " + entry["name"].get<std::string>() + "\n"), std::string::npos) << printed;
  }
}

TEST(variants, a_pattern_picks) {
  const workplace place;
  const std::string picked = place.output({"variants", "serial.none.re?"});
  EXPECT_TRUE(picked.starts_with("serial.none.rem ")) << picked;
  EXPECT_EQ(std::count(picked.begin(), picked.end(), '\n'), 1);
  EXPECT_EQ(place.run({"variants", "threads.hb.afforest.split"}).out, place.run({"variants", "threads.hb.afforest"}).out);
  EXPECT_EQ(place.refusal({"variants", "gpu.*"}),
            "copse: no variant matches gpu.*; copse variants lists all, and a pattern is a text such as threads.*\n");
}

TEST(variants, the_page_in_docs_is_not_stale) {
  const workplace place;
  std::ifstream file{COPSE_ROOT "/docs/reference/variants.md"};
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), place.run({"variants", "--markdown"}).out)
      << "write it anew: copse variants --markdown > docs/reference/variants.md";
}

TEST(completions, bash_reads_them_and_completes) {
  const workplace place;
  if (std::system("bash -c true") != 0) GTEST_SKIP() << "no bash here";
  place.write("copse.bash", place.run({"completions", "bash"}).out);
  place.write("ask.bash",
              "source copse.bash\n"
              "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _copse; echo \"${COMPREPLY[*]}\"; }\n"
              "ask copse comp\nask copse components --lab\nask copse components --labels d\nask copse completions z\n"
              "ask copse bench comp\nask copse bench --with\nask copse bench karate --input c\nask copse bench --variants au\n"
              "ask copse bench compare --\nask copse bench x.json --aga\n");
  const std::string command = "cd '" + place.folder().string() + "' && bash ask.bash > answers";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(place.read("answers"),
            "components compare completions\n--labels\ndense\nzsh\n"
            "compare\n--within\ncsr coo\nauto\n--help --against\n\n");
}

TEST(completions, every_shell_hears_of_every_command) {
  const workplace place;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string printed = place.output({"completions", shell});
    for (const std::string word : {"components", "generate", "convert", "info", "extract", "verify", "variants", "bench", "compare", "rank",
                                   "against", "completions", "man", "min-weight"}) {
      EXPECT_NE(printed.find(word), std::string::npos) << shell << " " << word;
    }
  }
  EXPECT_EQ(place.run({"completions", "tcsh"}).err, "copse: SHELL takes bash, zsh or fish, not tcsh\n");
}

TEST(man, is_roff_without_bare_requests) {
  const workplace place;
  const std::string page = place.run({"man"}).out;
  EXPECT_TRUE(page.starts_with(".TH COPSE 1 ")) << page.substr(0, 80);
  std::istringstream lines{page};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(".")) continue;
    const std::string request = line.substr(0, line.find(' '));
    EXPECT_TRUE((std::set<std::string>{".TH", ".SH", ".TP", ".B", ".br", ".PP", ".nf", ".fi"}.contains(request))) << line;
  }
  EXPECT_NE(page.find(".B copse bench compare\n\\fIFILE\\fR ...\n[options]\n"), std::string::npos);
  EXPECT_NE(page.find(".SH \"COPSE bench compare\"\n"), std::string::npos);
  EXPECT_NE(page.find("\\fB\\-\\-min\\-weight\\fR \\fIX\\fR"), std::string::npos);
}

}  // namespace
}  // namespace copse::cli_test
