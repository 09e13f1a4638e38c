// What a shell or an input can do to a run: closed streams, limits, pipes that end, links, control characters.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

/// Runs a script of bash in the folder, where $copse is the binary; its exit code.
int bash(const workplace& folder, const std::string& script) {
  folder.write(".harness.sh", "copse='" COPSE_BINARY "'\n" + script + "\n");
  const int status =
      std::system(("cd '" + folder.folder().string() + "' && bash .harness.sh > .harness.o 2> .harness.e < /dev/null").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(closed_streams, lose_no_output) {
  const workplace folder;
  folder.write("g.el", "1 2\n");
  EXPECT_EQ(bash(folder, "$copse components g.el -o l.csv --json >&-"), 2) << "nowhere to print to";
  EXPECT_EQ(bash(folder, "$copse components g.el -o - >&-"), 2);
  EXPECT_EQ(bash(folder, "$copse components g.el -o l.csv <&- 2>&-"), 0);
  EXPECT_EQ(folder.read("l.csv"), "id,component\n1,1\n2,1\n");
  EXPECT_EQ(folder.read("g.el"), "1 2\n");
  EXPECT_EQ(bash(folder, "$copse convert g.el h.el <&- >&- 2>&-"), 0);
  EXPECT_EQ(folder.read("h.el"), "1 2\n");
  EXPECT_EQ(bash(folder, "$copse components - <&-"), 2);
}

#ifdef COPSE_INTERRUPTING_WRITE
/// The program is run twice, the second time with a write() that signals interrupt and that takes a few bytes at once: all is the same.
TEST(writes, that_are_interrupted_or_short_go_on) {
  const workplace folder;
  folder.write("g.csv", "a,b,0.5\nc,d,1\nd,a,2\n");
  for (const std::string command :
       {"components g.csv --header no -o labels.csv", "components g.csv --header no -o -", "components g.csv --header no -o labels.txt.gz",
        "components g.csv --header no -o labels.npz", "components g.csv --header no --top 3 --sizes sizes.csv",
        "forest g.csv --weight 3 --maximum -o f.csv", "stream g.csv --checkpoint s.ck -o labels.csv", "reduce g.csv --weight 3 -o p.forest",
        "convert g.csv h.mtx --id-map ids.csv", "generate er:n=100,m=300 -o -", "variants", "man", "components none.csv",
        "components g.csv --weight x"}) {
    const auto run = [&](const std::string& preload) {
      folder.write("both.sh", preload + " $copse " + command + " 2>&1 | grep -v 'seconds\\|records/s'; exit ${PIPESTATUS[0]}");
      const int code = bash(folder, "rm -f labels.* sizes.csv f.csv s.ck p.forest h.mtx ids.csv; . ./both.sh");
      std::string all = std::to_string(code) + folder.read(".harness.o");
      for (const std::string& name : folder.files()) {
        if (name != "both.sh") all += name + folder.read(name);
      }
      return all;
    };
    EXPECT_EQ(run("LD_PRELOAD='" COPSE_INTERRUPTING_WRITE "'"), run("")) << command;
  }
}
#endif

TEST(file_limit, is_exit_code_3_and_leaves_nothing) {
  const workplace folder;
  EXPECT_EQ(bash(folder, "ulimit -f 100; $copse generate path:n=1000000 -o p.el"), 3);
  EXPECT_EQ(folder.files(), std::vector<std::string>{});
  EXPECT_NE(folder.read(".harness.e").find("expected room for"), std::string::npos);
}

TEST(pipes, cannot_be_read_twice) {
  const workplace folder;
  for (const std::string more : {"--trials 2", "--verify", "--append out.txt"}) {
    EXPECT_EQ(bash(folder, "$copse components <(printf '1 2\\n') --format edges " + more + " -o l.csv"), 2) << more;
    EXPECT_NE(folder.read(".harness.e").find("file instead of /dev/fd/") == std::string::npos &&
                  folder.read(".harness.e").find("read only once") == std::string::npos,
              true)
        << folder.read(".harness.e");
    EXPECT_FALSE(folder.has("l.csv"));
  }
  EXPECT_EQ(bash(folder,
                 "mkfifo f; printf '1 2\\n' > f & $copse components f --format edges --verify -o l.csv; r=$?; cat f > /dev/null; exit $r"),
            2);
  EXPECT_EQ(bash(folder, "$copse components <(printf '1 2\\n') --format edges -o l.csv"), 0);
  EXPECT_EQ(folder.read("l.csv"), "id,component\n1,1\n2,1\n");
  EXPECT_EQ(bash(folder, "$copse components <(printf '\\2\\0\\0\\0\\1\\0\\0\\0') --format coo --verify -o no.csv"), 2);
  EXPECT_FALSE(folder.has("no.csv"));
  EXPECT_EQ(bash(folder, "printf '\\2\\0\\0\\0\\1\\0\\0\\0' | $copse components - --format coo -o l.csv"), 0);
  EXPECT_EQ(folder.read("l.csv"), "id,component\n1,1\n2,1\n");
  EXPECT_EQ(bash(folder, "$copse components <(printf '1 2\\n') --format edges --variant serial.none.dfs --trials 2 --verify"), 0) << "held";
}

TEST(links, that_point_nowhere_yet_are_followed) {
  const workplace folder;
  folder.write("g.el", "1 2\n");
  std::filesystem::create_symlink("real.csv", folder.folder() / "link.csv");
  ASSERT_EQ(folder.run({"components", "g.el", "-o", "link.csv"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.folder() / "link.csv"));
  EXPECT_EQ(folder.read("real.csv"), "id,component\n1,1\n2,1\n");
  std::filesystem::create_symlink("round.csv", folder.folder() / "round.csv");
  EXPECT_EQ(folder.run({"components", "g.el", "-o", "round.csv"}).exit_code, 2);
}

TEST(replaced_files, keep_their_mode) {
  const workplace folder;
  folder.write("g.el", "1 2\n");
  folder.write("l.csv", "old");
  std::filesystem::permissions(folder.folder() / "l.csv", std::filesystem::perms{0640});
  ASSERT_EQ(folder.run({"components", "g.el", "-o", "l.csv"}).exit_code, 0);
  EXPECT_EQ(std::filesystem::status(folder.folder() / "l.csv").permissions(), std::filesystem::perms{0640});
}

TEST(control_characters, of_an_input_do_not_reach_the_terminal) {
  const workplace folder;
  folder.write("g.csv", "\"a\x1b[31m\nb\",c\nc,\xc2\x9b\x7f\n");
  const std::string printed = folder.output({"components", "g.csv", "--top", "1", "--header", "no", "--ids", "bytes"});
  EXPECT_NE(printed.find("top 1       3 (label a\\x1b[31m\\nb)\n"), std::string::npos) << printed;
  const std::string refused = folder.refusal({"extract", "g.csv", "--component", "x\x1b[2J\ny", "-o", "-", "--header", "no"});
  EXPECT_EQ(refused.find('\x1b'), std::string::npos);
  EXPECT_NE(refused.find("is called x\\x1b[2J\\ny"), std::string::npos) << refused;
}

/// Characters that turn the direction of text: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069; and their neighbours, which do
/// not.
TEST(control_characters, that_turn_text_do_not_reach_the_terminal) {
  const std::vector<std::string> turning{"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C",
                                         "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"};
  const std::vector<std::string> harmless{"\u061B", "\u200D", "\u2010", "\u2029", "\u202F", "\u2065", "\u206A", "\u00E9"};
  const workplace folder;
  for (const std::vector<std::string>* all : {&turning, &harmless}) {
    const bool escaped = all == &turning;
    for (const std::string& character : *all) {
      const std::string name = "a" + character + "b";
      folder.write("g.csv", name + ",c\n");
      const auto shows = [&](const std::string& text) { return text.find(character) != std::string::npos; };
      const auto command = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"components", "g.csv", "--header", "no"};
        words.insert(words.end(), more.begin(), more.end());
        return folder.run(words);
      };
      const outcome top = command({"--top", "1"});
      EXPECT_EQ(shows(top.out), !escaped) << name;
      const outcome json = command({"--json", "--top", "1"});
      EXPECT_EQ(shows(json.out), !escaped) << name;
      EXPECT_EQ(nlohmann::json::parse(json.out)["largest"]["label"], name);
      EXPECT_EQ(shows(folder.run({"components", name + ".el"}).err), !escaped) << name;
      EXPECT_EQ(shows(folder.run({"components", name}).err), !escaped) << name;
      EXPECT_EQ(shows(folder.run({"extract", "g.csv", "--header", "no", "--component", "x" + character, "-o", "out.el"}).err), !escaped)
          << name;
      EXPECT_EQ(command({"-o", "labels.csv", "--sizes", "sizes.csv"}).exit_code, 0);
      EXPECT_TRUE(shows(folder.read("labels.csv"))) << "an output is as it was";
      EXPECT_TRUE(shows(folder.read("sizes.csv")));
      EXPECT_TRUE(shows(command({"-o", "-"}).out)) << "so is one on standard output";
    }
  }
}

TEST(bench_compare, refuses_a_machine_that_is_no_object) {
  const workplace folder;
  folder.write("a.json", R"({"benchmark":"bench","machine":"mine","threads":[1],"graphs":[]})");
  EXPECT_EQ(folder.refusal({"bench", "compare", "a.json", "a.json"}), "a.json: found machine \"mine\", expected an object of facts\n");
}

TEST(threads, above_a_sane_bound_are_refused) {
  const workplace folder;
  const std::string complaint = folder.refusal({"components", "karate", "--threads", "1025"});
  EXPECT_NE(complaint.find("1 to 1024"), std::string::npos) << complaint;
}

/// The first records are looked for before any is parsed; where no line ends, that must not take more than there is.
TEST(memory, counts_the_first_look) {
  const workplace folder;
  const std::vector<std::vector<std::string>> commands{{"components", "/dev/zero", "--format", "edges"},
                                                       {"components", "/dev/zero", "--format", "csv"},
                                                       {"group", "/dev/zero", "--id", "1", "--by", "2"},
                                                       {"stream", "/dev/zero"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--memory", "24M"});
    const outcome ended = folder.run(command);
    EXPECT_EQ(ended.exit_code, 3) << command[0] << ": " << ended.err;
  }
}

TEST(hints, name_the_way_out) {
  const workplace folder;
  folder.write("g.el", "1 2\n");
  EXPECT_NE(folder.run({"components", "g.el", "--threshold", "3"}).err.find("--min-weight"), std::string::npos);
  EXPECT_NE(folder.run({"components", "g.el", "--bipartite"}).err.find("--prefix-left"), std::string::npos);
  folder.write("pairs.dat", "1 2\n");
  EXPECT_NE(folder.run({"components", "pairs.dat"}).err.find("--format edges"), std::string::npos);
  EXPECT_NE(folder.run({"components", "g.el.xz"}).err.find("xz -dc FILE | copse ... -"), std::string::npos);
  EXPECT_NE(folder.run({"components", "g.el.bz2"}).err.find("bzip2 -dc FILE"), std::string::npos);
  const outcome several = folder.run({"components", "g.el", "g.el", "--variant", "threads.none.rem_cas.naive.halve_one", "--threads", "1"});
  EXPECT_NE(several.err.find("two threads or more"), std::string::npos) << several.err;
}

TEST(notes, are_said_once_though_the_input_is_read_twice) {
  const workplace folder;
  folder.write("g.el", "amy bob\n");
  const outcome ended = folder.run({"components", "g.el", "--verify", "--trials", "2"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.err.find("copse: note: "), ended.err.rfind("copse: note: ")) << ended.err;
}

TEST(memory, that_ends_ends_before_anything_is_written) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=200000,m=200000", "-o", "er.el"}).exit_code, 0);
  for (int kilobytes = 800; kilobytes < 6000; kilobytes += 100) {
    const outcome ended = folder.run({"components", "er.el", "-o", "l.csv", "--json", "--memory", std::to_string(kilobytes) + "K"});
    EXPECT_EQ(folder.has("l.csv"), ended.exit_code == 0) << kilobytes << ": " << ended.err;
    std::filesystem::remove(folder.folder() / "l.csv");
  }
}

/// A stray quote behind the columns that are looked at must neither swallow the records behind it nor make records of what it quotes.
TEST(quotes, that_are_not_closed_are_refused_wherever_they_are) {
  const workplace folder;
  std::string lines;
  for (int i = 0; i < 300000; ++i) lines += "x,y\n";  // more than a field may have
  const std::string fault = ":2: found a quote that is not closed, expected its end within 1048576 bytes\n";
  const std::vector<std::pair<std::string, std::string>> files{{"end.csv", "1,2,3\n3,4,\"oops\n5,6,7\n"},
                                                               {"names.csv", "a,b,c\nd,e,\"oops\nf,g,h\n"},
                                                               {"long.csv", "a,b,c\nd,e,\"" + lines + "\"\nf,g,\",h\"\n"}};
  for (const auto& [name, text] : files) {
    folder.write(name, text);
    const std::vector<std::vector<std::string>> commands{{"components", name, "--threads", "1"},
                                                         {"components", name, "--threads", "4"},
                                                         {"group", name, "--id", "1", "--by", "2", "--header", "no"},
                                                         {"stream", name}};
    for (const auto& command : commands) {
      const std::string complaint = folder.refusal(command);
      EXPECT_TRUE(complaint.ends_with(name + fault)) << command[0] << ": " << complaint;
    }
    const outcome piped = folder.run({"components", "-", "--format", "csv"}, text);
    EXPECT_TRUE(piped.err.ends_with("<stdin>" + fault)) << piped.err;
  }
  folder.write("header.csv", "id_l,id_r,\"oops\n1,2,3\n");
  EXPECT_EQ(folder.run({"components", "header.csv", "--header", "yes"}).err,
            "header.csv:1: found a quote that is not closed, expected its end within 1048576 bytes\n");
}

}  // namespace
}  // namespace copse::cli_test
