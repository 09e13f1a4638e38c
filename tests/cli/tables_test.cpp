// Tables as people have them: ids of several columns, records with their groups behind, and what goes to standard output.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "run_copse.hpp"
#include "support/sanitized.hpp"

namespace copse::cli_test {
namespace {

constexpr const char* splink =
    "match_probability,source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\n"
    "0.95,crm,1,shop,1\n"
    "0.99,shop,1,shop,2\n"
    "0.40,crm,2,shop,2\n";
const std::vector<std::string> both_ids{"--left", "source_dataset_l,unique_id_l", "--right", "source_dataset_r,unique_id_r"};

outcome run(const workplace& folder, std::vector<std::string> arguments, const std::vector<std::string>& more = {},
            std::string_view input = "") {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return folder.run(arguments, input);
}

TEST(composite_ids, of_pairs_and_of_tables_of_vertices) {
  const workplace folder;
  folder.write("pairs.csv", splink);
  folder.write("people.csv", "unique_id,source_dataset\n1,crm\n2,crm\n3,crm\n");
  const outcome ended = run(folder, {"components", "pairs.csv", "-o", "-"}, both_ids);
  EXPECT_EQ(ended.out, "crm:1\tcrm:1\ncrm:2\tcrm:1\nshop:1\tcrm:1\nshop:2\tcrm:1\n") << ended.err;
  const std::vector<std::string> heavy{"--weight",
                                       "match_probability",
                                       "--min-weight",
                                       "0.9",
                                       "--vertex-file",
                                       "people.csv:source_dataset,unique_id",
                                       "--id-delimiter",
                                       "/",
                                       "-o",
                                       "labels.csv",
                                       "--append",
                                       "out.csv",
                                       "--verify"};
  std::vector<std::string> all{"components", "pairs.csv"};
  all.insert(all.end(), both_ids.begin(), both_ids.end());
  EXPECT_EQ(run(folder, all, heavy).exit_code, 0);
  EXPECT_EQ(folder.read("labels.csv"), "id,component\ncrm/1,crm/1\ncrm/2,crm/2\ncrm/3,crm/3\nshop/1,crm/1\nshop/2,crm/1\n");
  EXPECT_EQ(folder.read("out.csv"),
            "match_probability,source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,component\n"
            "0.95,crm,1,shop,1,crm/1\n0.99,shop,1,shop,2,crm/1\n0.40,crm,2,shop,2,crm/2\n");
}

TEST(composite_ids, of_streams_and_of_groups) {
  const workplace folder;
  folder.write("pairs.csv", splink);
  EXPECT_EQ(run(folder, {"stream", "pairs.csv", "-o", "l.txt"}, both_ids).exit_code, 0);
  EXPECT_EQ(folder.read("l.txt"), "crm:1\tcrm:1\ncrm:2\tcrm:1\nshop:1\tcrm:1\nshop:2\tcrm:1\n");
  folder.write("records.csv", "source,id,email\na,1,x@y\nb,1,x@y\na,2,z\n");
  const outcome ended = run(folder, {"group", "records.csv", "--id", "source,id", "--by", "email", "-o", "-", "--verify"});
  EXPECT_EQ(ended.out, "a:1\ta:1\na:2\ta:2\nb:1\ta:1\n") << ended.err;
}

TEST(composite_ids, refuse_half_of_what_they_need) {
  const workplace folder;
  folder.write("pairs.csv", splink);
  EXPECT_EQ(run(folder, {"components", "pairs.csv", "--left", "1,2"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"components", "pairs.csv", "--left", "2,3", "--right", "4,5", "--columns", "1,2"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"components", "pairs.csv", "--left", "2,2", "--right", "4,5"}).exit_code, 2);
  EXPECT_EQ(run(folder, {"components", "pairs.csv", "--left", "2,3", "--right", "4"}).err,
            "copse: ids of columns 2,3 and 4: as many are needed for both\n");
}

TEST(group, puts_the_group_behind_each_record) {
  const workplace folder;
  folder.write("p.csv", "record;email\r\n# no comment;x\r\n\"c;d\";x\r\n\r\nb;\r\n");
  EXPECT_EQ(run(folder, {"group", "p.csv", "--id", "record", "--by", "email", "--append", "out.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("out.csv"),
            "record;email;component\r\n# no comment;x;\"# no comment\"\r\n\"c;d\";x;\"# no comment\"\r\n\r\nb;;b\r\n");
  folder.write("q.csv", "email\n\"two\nlines\"\nx\n\"two\nlines\"\n");
  for (const std::string threads : {"1", "3"}) {
    EXPECT_EQ(run(folder, {"group", "q.csv", "--by", "email", "--header", "yes", "--append", "out.csv", "--threads", threads}).exit_code,
              0);
    EXPECT_EQ(folder.read("out.csv"), "email,component\n\"two\nlines\",2\nx,4\n\"two\nlines\",2\n") << threads;
  }
  folder.write("buckets.txt", "b1 7\nb1 9\nb2 4\n");
  EXPECT_EQ(run(folder, {"group", "buckets.txt", "--by-line", "--append", "-", "--labels", "dense"}).out, "b1 7 1\nb1 9 1\nb2 4 0\n");
  EXPECT_EQ(run(folder, {"group", "-", "--by-line", "--append", "out.csv"}, {}, "b1 7\n").err,
            "copse: --append reads the input twice: give a file instead of standard input\n");
  EXPECT_EQ(run(folder, {"group", "q.csv", "p.csv", "--id", "1", "--by", "2", "--append", "out.csv"}).err,
            "copse: --append copies the records of one FILE: give one, not 2\n");
}

TEST(group, has_any_format_on_standard_output) {
  const workplace folder;
  folder.write("buckets.txt", "b1 7\nb1 9\n");
  EXPECT_EQ(run(folder, {"group", "buckets.txt", "--by-line", "-o", "-", "--output-format", "csv"}).out, "id,component\n7,7\n9,7\n");
  EXPECT_EQ(run(folder, {"group", "buckets.txt", "--by-line", "--output-format", "csv"}).exit_code, 2);
  folder.write("records.csv", "id;email\n1;x\n");
  EXPECT_NE(run(folder, {"group", "records.csv", "--id", "id", "--by", "email"})
                .err.find("records.csv: separated by semicolons, not by commas (--delimiter decides otherwise)"),
            std::string::npos);
}

TEST(standard_output, holds_data_or_a_report) {
  const workplace folder;
  folder.write("g.el", "1 2\n3 3\n");
  folder.write("w.csv", "u,v,w\n1,2,0.5\n");
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& data, const std::string& report) {
    const outcome ended = folder.run(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(ended.out, data);
    EXPECT_NE(ended.err.find(report), std::string::npos) << ended.err;
  };
  expect({"components", "g.el", "-o", "-", "--top", "1"}, "1\t1\n2\t1\n3\t3\n", "top 1       2 (label 1)\n");
  expect({"components", "g.el", "--sizes", "-"}, "1\t2\n3\t1\n", "components  2\n");
  expect({"components", "g.el", "--append", "-"}, "1 2 1\n3 3 3\n", "components  2\n");
  expect({"group", "g.el", "--by-line", "--sizes", "-"}, "2\t1\n3\t1\n", "groups      2\n");
  expect({"forest", "g.el", "-o", "-"}, "1 2\n", "forest      1 edges\n");
  expect({"dendrogram", "w.csv", "--weight", "w", "--clusters", "1", "--labels", "-"}, "1\t1\n2\t1\n", "components  1\n");
  for (const std::string output : {"-o", "--sizes", "--append"}) {
    EXPECT_EQ(folder.run({"components", "g.el", output, "-", "--json"}).err,
              "copse: --json and an output - cannot both go to standard output: give the output a file\n");
  }
  EXPECT_EQ(folder.run({"stream", "g.el", "-o", "-"}).exit_code, 2);
  EXPECT_EQ(folder.run({"stream", "g.el", "--checkpoint", "-"}).exit_code, 2);
}

TEST(encodings, are_utf8_or_bytes) {
  const workplace folder;
  folder.write("g.csv", "caf\xE9,b\n");
  EXPECT_NE(folder.run({"components", "g.csv", "--encoding", "latin1"}).err.find("text is UTF-8, or any bytes with --ids bytes: iconv"),
            std::string::npos);
  EXPECT_EQ(folder.run({"components", "g.csv", "--header", "no"}).exit_code, 2);
  EXPECT_EQ(folder.run({"components", "g.csv", "--header", "no", "--ids", "bytes"}).exit_code, 0);
}

TEST(json, names_what_is_no_number) {
  const workplace folder;
  folder.write("w.csv", "u,v,w\n1,2,inf\n2,3,-inf\n");
  const outcome ended = folder.run({"thresholds", "w.csv", "--weight", "w", "--json"});
  EXPECT_NE(ended.out.find("\"threshold\": \"inf\""), std::string::npos) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("\"threshold\": \"-inf\""), std::string::npos);
  EXPECT_EQ(ended.out.find("null"), std::string::npos);
}

TEST(archives, of_labels_are_read_by_numpy_and_proved) {
  const workplace folder;
  folder.write("g.csv", "anna,bert\nzoe,zoe\n");
  ASSERT_EQ(folder.run({"components", "g.csv", "-o", "l.npz"}).exit_code, 0);
  EXPECT_EQ(folder.run({"verify", "g.csv", "l.npz"}).exit_code, 0);
  const std::string script =
      "import sys\ntry:\n import numpy\nexcept ImportError:\n sys.exit(77)\na = numpy.load('l.npz')\n"
      "assert a['id'].tolist() == [b'anna', b'bert', b'zoe'], a['id']\n"
      "assert a['component'].tolist() == [b'anna', b'anna', b'zoe'], a['component']\n";
  folder.write("look.py", script);
  const std::string python = std::string{COPSE_ROOT} + "/build/python_env/bin/python";
  const int status =
      std::system(("cd '" + folder.folder().string() + "' && (test -x " + python + " || exit 77; " + python + " look.py)").c_str());
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "there is no numpy";
  EXPECT_EQ(status, 0);
}

TEST(weights, of_formats_that_hold_them_need_no_column) {
  const workplace folder;
  folder.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 2\n");
  folder.write("d.gr", "p sp 3 2\na 1 2 1\na 2 3 4\n");
  folder.write("m.graph", "3 2 1\n2 1\n1 1 3 4\n2 4\n");
  for (const std::string graph : {"m.mtx", "d.gr", "m.graph"}) {
    EXPECT_EQ(folder.run({"components", graph, "--min-weight", "2", "-o", "-"}).out, "1\t1\n2\t2\n3\t2\n") << graph;
    EXPECT_EQ(folder.run({"components", graph, "--min-weight", "2", "--weight", "3"}).exit_code, 2) << graph;
    EXPECT_EQ(folder.run({"forest", graph, "--maximum", "--min-weight", "2", "-o", "-"}).exit_code, 0) << graph;
  }
}

// The limit on processes does not hold for root, so it is another user who meets it; the address space is everybody's.
TEST(threads, that_the_system_refuses_are_done_without) {
  if (test::sanitized) GTEST_SKIP() << "a sanitizer needs more than these limits leave";
  const workplace folder;
  folder.write("g.el", "1 2\n2 3\n");
  std::filesystem::permissions(folder.folder(), std::filesystem::perms::all);
  const std::string call = std::string{"'"} + COPSE_BINARY + "' components er:n=20000,m=40000 --threads 64 --verify";
  const auto run = [&](const std::string& limits, const std::string& command) {
    const int status =
        std::system(("cd '" + folder.folder().string() + "' && bash -c \"" + limits + "; " + command + "\" > out 2> err").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(run("ulimit -v 1000000", call), 0) << folder.read("err");  // 64 stacks of 8 MiB and what they allocate do not fit
  EXPECT_NE(folder.read("out").find("verified    yes"), std::string::npos);
  if (geteuid() != 0) {
    EXPECT_EQ(run("ulimit -u 1", call), 0) << folder.read("err");
  } else if (std::system("setpriv --version > /dev/null 2>&1") == 0) {
    EXPECT_EQ(run("ulimit -u 1", "exec setpriv --reuid 54321 --clear-groups " + call), 0) << folder.read("err");
    EXPECT_NE(folder.read("out").find("verified    yes"), std::string::npos);
  }
}

}  // namespace
}  // namespace copse::cli_test
