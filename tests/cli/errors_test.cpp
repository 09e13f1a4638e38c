// Bad input and bad luck: the exact line, the exit code, and no file that should not be there.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "run_copse.hpp"
#include "support/sanitized.hpp"

namespace copse::cli_test {
namespace {

/// `components NAME -o labels.csv OPTIONS` fails with that line and code and leaves nothing behind.
void expect_error(const std::string& name, std::string_view content, int exit_code, const std::string& line,
                  std::vector<std::string> options = {}) {
  const workplace folder;
  folder.write(name, content);
  for (const std::string threads : {"1", "3"}) {
    std::vector<std::string> arguments{"components", name, "-o", "labels.csv", "--threads", threads};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const outcome ended = folder.run(arguments);
    EXPECT_EQ(ended.exit_code, exit_code) << line;
    EXPECT_EQ(ended.err, line + "\n");
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(folder.files(), std::vector<std::string>{name});
  }
}

TEST(errors, a_file_that_is_not_there) {
  const workplace folder;
  EXPECT_EQ(folder.refusal({"components", "nothing.el"}), "nothing.el: no such file\n");
}

/// One text everywhere, and exit code 2.
TEST(errors, a_missing_file_is_no_such_file_in_every_command_and_option) {
  const workplace folder;
  folder.write("g.el", "1 2\n");
  folder.write("w.csv", "1,2,0.5\n");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"components", "GONE.el"},
                                             {"components", "GONE"},
                                             {"components", "GONE.xyz"},
                                             {"components", "g.el", "GONE.el"},
                                             {"components", "g.el", "--vertex-file", "GONE.csv"},
                                             {"components", "g.el/GONE.el"},
                                             {"forest", "GONE.el"},
                                             {"group", "GONE.csv", "--id", "1", "--by", "2"},
                                             {"thresholds", "GONE.csv", "--weight", "3"},
                                             {"dendrogram", "GONE.csv", "--weight", "3", "--json"},
                                             {"bridges", "GONE.el"},
                                             {"convert", "GONE.el", "out.el"},
                                             {"info", "GONE.mtx"},
                                             {"plan", "GONE.el"},
                                             {"extract", "GONE.el", "--largest", "-o", "out.el"},
                                             {"rank", "GONE.txt"},
                                             {"verify", "GONE.el", "labels.csv"},
                                             {"verify", "g.el", "GONE.csv"},
                                             {"reduce", "GONE.el", "-o", "out.forest"},
                                             {"merge", "GONE.forest"},
                                             {"merge", "GONE.forest.gz"},
                                             {"stream", "GONE.el"},
                                             {"stream", "-", "--resume", "GONE.ck"},
                                             {"stream", "--about", "GONE.ck"},
                                             {"report", "GONE.json", "-o", "out.html"},
                                             {"bench", "GONE.el"},
                                             {"bench", "compare", "GONE.json", "w.csv"}}) {
    if (test::sanitized && command[0] == "bench") continue;  // it refuses to measure
    const auto gone = std::ranges::find_if(command, [](const std::string& word) { return word.find("GONE") != std::string::npos; });
    EXPECT_EQ(folder.refusal(command), *gone + ": no such file\n") << command[0];
  }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"g.el", "w.csv"}));
}

TEST(errors, a_suffix_that_nobody_knows) {
  expect_error(
      "graph.xyz", "0 1\n", 2,
      "graph.xyz: found the suffix .xyz, expected one of .txt .el .tsv .edges .csv .mtx .graph .metis .gr .dimacs .sg .egr .adj .vgr "
      ".npy .npz .coo .coo64 .parquet .pq .arrow .arrows .feather .ipc "
      "(with .gz or .zst "
      "behind it or not), or a format by name, such as --format edges");
}

TEST(errors, lines_that_are_no_edge) {
  expect_error("graph.el", "0 1\n2\n", 2, "graph.el:2: found 1 column: \"2\", expected at least 2 separated by blanks");
  expect_error("graph.el", "0 1\n2 -9223372036854775809\n", 2,
               "graph.el:2: found the negative number \"-9223372036854775809\", expected an id from -9223372036854775808 to "
               "18446744073709551615 in column 2");
  expect_error("graph.el", "0 -1\n2 18446744073709551615\n", 2,
               "graph.el:2: found the id 18446744073709551615, expected ids up to 9223372036854775807, as graph.el:1 has -1");
  expect_error("graph.el", "0 1\n2 3.5\n", 2,
               "graph.el:2: found the fraction \"3.5\", expected an id from -9223372036854775808 to 18446744073709551615 in column 2");
  expect_error("graph.el", "# note\n\n0 1\n2 x\n", 2,
               "graph.el:4: found \"x\", expected an id from -9223372036854775808 to 18446744073709551615 in column 2");
  expect_error("graph.el", "0 1\n18446744073709551616 2\n", 2,
               "graph.el:2: found the too large number \"18446744073709551616\", expected an id from -9223372036854775808 to "
               "18446744073709551615 in column 1");
}

TEST(errors, an_id_beyond_the_declared_vertices) {
  expect_error("graph.el", "0 1\n1 4\n", 2, "graph.el:2: found the id 4, expected one below 4, the declared vertices", {"--vertices", "4"});
}

TEST(errors, a_string_that_is_no_utf8) {
  expect_error("graph.el", "a b\nc \xff\n", 2, "graph.el:2: found \"\\xFF\", expected a string id in UTF-8 in column 2",
               {"--ids", "string"});
}

TEST(errors, a_matrix_that_is_cut_off) {
  expect_error("graph.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n", 2,
               "graph.mtx:3: found the end of the file after 1 entries, expected the 2 declared");
}

TEST(errors, more_vertices_than_memory) {
  expect_error("graph.el", "0 1\n", 3,
               "copse: graph.el: reading: memory limit: 400000000 bytes needed, 1048576 allowed; copse plan: at most 100000000 vertices, 1 "
               "edges, counted; "
               "stream 800.0 MB on cpu (edges are united while they are parsed); "
               "held 400.0 MB on cpu (a list of edges in memory, to be solved again and again)",
               {"--vertices", "100000000", "--memory", "1M"});
  const workplace folder;
  folder.write("graph.el", "0 1\n");
  const outcome ended = folder.run({"components", "graph.el", "--vertices", "1000000000000000"});
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_TRUE(ended.err.starts_with("copse: graph.el: reading: memory limit: ")) << ended.err;
}

TEST(errors, a_list_that_is_not_to_be_held_in_so_little_memory) {
  const workplace folder;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i) + " " + std::to_string(i / 2) + "\n";
  folder.write("graph.el", text);
  const std::vector<std::string> held{"components", "graph.el", "--variant", "serial.none.async.naive", "--memory", "2M"};
  const outcome ended = folder.run(held);
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(ended.err,
            "copse: --memory: found 2.1 MB, expected 2.4 MB and more for a list of edges in memory; copse plan: at most 300000 vertices, "
            "300000 edges, counted; stream 2.4 MB on cpu (edges are united while they are parsed); "
            "held 6.0 MB on cpu (a list of edges in memory, to be solved again and again)\n");
  EXPECT_EQ(folder.run({"components", "graph.el", "--memory", "3M"}).exit_code, 0) << "near what the message says";
  EXPECT_EQ(folder.run({"components", "graph.el", "--variant", "serial.none.async.naive", "--memory", "60M"}).exit_code, 0);
}

TEST(errors, an_output_of_no_known_suffix_is_refused_before_the_work) {
  const workplace folder;
  folder.write("graph.el", "not an edge list\n");
  const outcome labels = folder.run({"components", "graph.el", "-o", "labels.xls"});
  EXPECT_EQ(labels.exit_code, 2);
  EXPECT_EQ(labels.err, "labels.xls: found the suffix .xls, expected .txt .csv .npy .npz .bin .bin64 .parquet or .arrow for labels\n");
  const outcome sizes = folder.run({"components", "graph.el", "--sizes", "sizes.npy"});
  EXPECT_EQ(sizes.err, "sizes.npy: found the suffix .npy, expected .csv .txt .parquet or .arrow for sizes\n");
  for (const std::string forest : {"part.xyz", "part", "part.forest.xz", "part.csv"}) {
    const std::string found = forest == "part" ? "a name without a suffix" : "the suffix " + forest.substr(forest.rfind('.'));
    const std::string expected = forest + ": found " + found + ", expected .forest, or .forest.gz or .forest.zst, for a forest of parts\n";
    EXPECT_EQ(folder.refusal({"reduce", "graph.el", "-o", forest}), expected);
    EXPECT_EQ(folder.refusal({"reduce", "graph.el", "--weight", "3", "-o", forest}), expected);
  }
  EXPECT_EQ(folder.refusal({"reduce", "graph.el", "-o", "-"}), "copse: a .forest cannot go to standard output: give -o FILE.forest\n");
  folder.write("result.json", "{}");
  for (const std::string page : {"page.pdf", "page.htm", "page"}) {
    const std::string found = page == "page" ? "a name without a suffix" : "the suffix " + page.substr(page.rfind('.'));
    EXPECT_EQ(folder.refusal({"report", "result.json", "-o", page}), page + ": found " + found + ", expected .html for a report\n");
  }
  const outcome graph = folder.run({"convert", "graph.el", "graph.gz"});
  EXPECT_EQ(graph.exit_code, 2);
  EXPECT_EQ(graph.err,
            "graph.gz: found a name without a suffix, expected .sg .egr .adj .gr .vgr .mtx .csv .tsv .el .txt .coo .coo64 .parquet or "
            ".arrow for a graph\n");
}

TEST(errors, an_output_that_cannot_be_created) {
  const workplace folder;
  folder.write("graph.el", "0 1\n");
  for (const std::string command : {"components", "convert"}) {
    const outcome ended = command == "components" ? folder.run({"components", "graph.el", "-o", "no/such/labels.csv"})
                                                  : folder.run({"convert", "graph.el", "no/such/graph.mtx"});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(ended.err.starts_with("no/such/")) << ended.err;
    EXPECT_NE(ended.err.find(": the folder no/such does not exist"), std::string::npos) << ended.err;
  }
}

TEST(errors, a_disk_that_is_full) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const workplace folder;
  folder.write("graph.el", "0 1\n");
  const outcome printed = folder.run({"components", "graph.el", "--json"}, "", "/dev/full");
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_TRUE(printed.err.starts_with("copse: standard output: cannot write ")) << printed.err;
  EXPECT_TRUE(printed.err.ends_with(" bytes: No space left on device\n")) << printed.err;
  const outcome labels = folder.run({"components", "graph.el", "-o", "-"}, "", "/dev/full");
  EXPECT_EQ(labels.exit_code, 3) << labels.err;
  EXPECT_NE(labels.err.find("No space left on device"), std::string::npos) << labels.err;
}

TEST(errors, an_old_output_survives_a_failure) {
  const workplace folder;
  folder.write("graph.el", "0 1\nx y\n");
  folder.write("labels.csv", "old");
  EXPECT_EQ(folder.run({"components", "graph.el", "-o", "labels.csv"}).exit_code, 2);
  EXPECT_EQ(folder.read("labels.csv"), "old");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"graph.el", "labels.csv"}));
}

TEST(errors, an_input_is_never_overwritten_and_no_output_lost) {
  const workplace place;
  const std::string edges = "1 2\n2 3\n";
  place.write("k.txt", edges);
  std::filesystem::create_symlink(place.folder() / "k.txt", place.folder() / "link.txt");
  std::filesystem::create_hard_link(place.folder() / "k.txt", place.folder() / "hard.txt");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& text) {
    EXPECT_EQ(place.refusal(arguments), "copse: " + text + "\n");
    EXPECT_EQ(place.read("k.txt"), edges) << arguments.back();
  };
  const std::string own = ": the output would overwrite the input: give it another name",
                    twice = ": two outputs have this name: give each its own";
  refused({"components", "k.txt", "-o", "k.txt"}, "k.txt" + own);
  refused({"components", "k.txt", "-o", "./k.txt"}, "./k.txt" + own);
  refused({"components", "k.txt", "-o", "link.txt"}, "link.txt" + own);
  refused({"components", "link.txt", "--sizes", "hard.txt"}, "hard.txt" + own);
  refused({"components", "k.txt", "-o", "new.csv", "--sizes", "./new.csv"}, "./new.csv" + twice);
  refused({"forest", "k.txt", "-o", "k.txt"}, "k.txt" + own);
  refused({"forest", "k.txt", "-o", "a.csv", "--rooted", "a.csv"}, "a.csv" + twice);
  refused({"convert", "k.txt", "hard.txt"}, "hard.txt" + own);
  refused({"extract", "k.txt", "--largest", "-o", "k.txt"}, "k.txt" + own);
  refused({"stream", "k.txt", "--checkpoint", "k.txt"}, "k.txt" + own);
  refused({"stream", "k.txt", "--checkpoint", "s.txt", "-o", "s.txt"}, "s.txt" + twice);
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "new.csv"));
  EXPECT_EQ(place.run({"components", "k.txt", "-o", "/dev/null", "--sizes", "/dev/null"}).exit_code, 2) << "no suffix";
}

TEST(errors, a_file_that_the_shell_opened_as_standard_input_is_not_overwritten) {
  const workplace place;
  const std::string edges = "1 2\n2 3\n";
  place.write("k.txt", edges);
  const std::string from_file = "exec " COPSE_BINARY " components - -o ";
  const auto status_of = [&](const std::string& output) {
    const std::string at = place.folder().string() + "/";
    return std::system((from_file + at + output + " < " + at + "k.txt > /dev/null 2>&1").c_str());  // NOLINT: as a shell does it
  };
  EXPECT_EQ(WEXITSTATUS(status_of("k.txt")), 2);
  EXPECT_EQ(place.read("k.txt"), edges);
  EXPECT_EQ(WEXITSTATUS(status_of("other.txt")), 0);
  EXPECT_EQ(place.read("other.txt"), "1\t1\n2\t1\n3\t1\n");
}

TEST(errors, a_table_of_vertices_is_an_input_that_no_output_replaces) {
  const workplace folder;
  folder.write("pairs.csv", "1,2\n");
  folder.write("people.csv", "1\n7\n");
  EXPECT_EQ(folder.refusal({"components", "pairs.csv", "--vertex-file", "people.csv", "-o", "people.csv"}),
            "copse: people.csv: the output would overwrite the input: give it another name\n");
  EXPECT_EQ(folder.read("people.csv"), "1\n7\n");
}

TEST(errors, standard_output_takes_one_output) {
  const workplace folder;
  folder.write("pairs.csv", "1,2\n");
  EXPECT_EQ(folder.refusal({"components", "pairs.csv", "-o", "-", "--append", "-"}),
            "copse: two outputs cannot both go to standard output (-): give one of them a file\n");
}

}  // namespace
}  // namespace copse::cli_test
