// How tables are read, by the same rules in every command and option that takes one (docs/reference/formats.md).
#include <gtest/gtest.h>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

struct file {
  std::string name, text;
};

struct row {
  std::vector<file> files;
  std::vector<std::string> arguments;
  std::string out;        // what is on standard output, where nothing is refused; "*": a report
  std::string complaint;  // a part of what is on standard error
  int exit_code = 0;
};

void expect_rows(const std::vector<row>& rows) {
  for (const row& r : rows) {
    const workplace folder;
    std::string trace;
    for (const auto& [name, text] : r.files) folder.write(name, text);
    for (const std::string& word : r.arguments) trace += word + " ";
    SCOPED_TRACE(trace + "\n" + r.files.front().text);
    const outcome ended = folder.run(r.arguments);
    EXPECT_EQ(ended.exit_code, r.exit_code) << ended.err;
    if (r.exit_code == 0 && r.out != "*") {
      EXPECT_EQ(ended.out, r.out) << ended.err;
    }
    EXPECT_NE(ended.err.find(r.complaint), std::string::npos) << ended.err;
  }
}

/// Of the inputs of a case that was reported, one component for each line of `expected`.
void expect_case(const std::string& name, const std::vector<std::string>& inputs, const std::string& expected, const std::string& complaint,
                 int exit_code = 0) {
  const workplace folder;
  std::vector<std::string> arguments{"components"};
  for (const std::string& input : inputs) {
    std::filesystem::copy_file(std::filesystem::path{COPSE_ROOT} / "tests/corpus/cases" / name / input, folder.folder() / input);
    arguments.push_back(input);
  }
  arguments.insert(arguments.end(), {"-o", "-", "--output-format", "csv"});
  const outcome ended = folder.run(arguments);
  EXPECT_EQ(ended.exit_code, exit_code) << name << ": " << ended.err;
  if (exit_code == 0) {
    EXPECT_EQ(ended.out, "id,component\n" + expected) << name << ": " << ended.err;
  }
  EXPECT_NE(ended.err.find(complaint), std::string::npos) << name << ": " << ended.err;
}

TEST(table_rules, close_the_cases_that_were_reported) {
  expect_case("pandas-index-column", {"input.csv"}, "11,11\n12,11\n13,11\n20,20\n21,20\n",
              "the header names the ends: columns id_l and id_r (--columns decides otherwise)");
  expect_case("csv-blanks-after-comma", {"input.csv"}, "K-001,K-001\nK-002,K-001\nK-003,K-001\n",
              "2 fields had blanks around them, which are no part of them (--trim no keeps them)");
  expect_case("csv-blanks-overrule-commas", {"input.csv"},
              "0151 230 1111,0151 230 1111\n0151 230 2222,0151 230 1111\n0151 230 3333,0151 230 1111\n", "");
  expect_case("bars-overruled-by-blanks-silently", {"input.txt"},
              "1000 2000 3000 4001,1000 2000 3000 4001\n1000 2000 3000 4002,1000 2000 3000 4001\n", "");
  expect_case("hash-ids-are-comments", {"input.tsv"}, "",
              "input.tsv:2: found a line that begins with # and splits like a record, expected comments above the first record only "
              "(--comment '' if such lines are records, --comment '#%' if they are comments)\n",
              2);
  expect_case("konect-bip", {"input.txt"}, "", "which tells them apart (--prefix-left L --prefix-right R)\n", 2);
  expect_case("pace-hs", {"input.gr"}, "", "input.gr:1: found p \"hs\", expected a kind of graph", 2);
  expect_case("spark-empty-part", {"part-0.csv", "part-1.csv"}, "1,1\n2,1\n3,1\n", "it is taken as their header");
}

const std::string pandas = ",id_l,id_r,w\n0,11,12,0.9\n1,12,13,0.8\n2,20,21,0.7\n";
const std::string three = "11\t11\n12\t11\n13\t11\n20\t20\n21\t20\n";

TEST(table_rules, of_ends_hold_in_every_command) {
  const std::string note = "the header names the ends: columns id_l and id_r (--columns decides otherwise)";
  const std::vector<file> input{{"p.csv", pandas}};
  expect_rows({
      {input, {"components", "p.csv", "-o", "-"}, three, note},
      {input, {"components", "p.csv", "-o", "-", "--verify"}, three, note},
      {input, {"components", "p.csv", "--weight", "w", "--min-weight", "0.75", "-o", "-"}, "11\t11\n12\t11\n13\t11\n", note},
      {input, {"components", "p.csv", "--append", "-"}, ",id_l,id_r,w,component\n0,11,12,0.9,11\n1,12,13,0.8,11\n2,20,21,0.7,20\n", note},
      {input, {"forest", "p.csv", "-o", "-"}, "11 12\n12 13\n20 21\n", note},
      {input, {"forest", "p.csv", "--maximum", "--weight", "w", "-o", "-"}, "11 12 0.9\n12 13 0.8\n20 21 0.7\n", note},
      {input, {"dendrogram", "p.csv", "--weight", "w", "--clusters", "2", "--labels", "-"}, three, note},
      {input, {"bridges", "p.csv", "-o", "-"}, "11 12\n12 13\n20 21\n", note},
      {input, {"convert", "p.csv", "out.el"}, "", note},
      {input, {"stream", "p.csv", "-o", "out.txt"}, "", note},
      {input, {"reduce", "p.csv", "-o", "out.forest"}, "*", note},
      {input, {"thresholds", "p.csv", "--weight", "w", "-o", "t.csv"}, "", note},
      {{{"s.csv", "score,from,to\n9,1,2\n"}}, {"components", "s.csv"}, "", "(--columns from,to)\n", 2},
      {{{"s.csv", "score,from,to\n9,1,2\n"}}, {"components", "s.csv", "--columns", "1,2", "-o", "-"}, "1\t1\n9\t1\n", ""},
      {{{"s.csv", "a,b name_l,b name_r\n9,1,2\n"}}, {"components", "s.csv"}, "", "(--columns 2,3)\n", 2},
      {{{"s.csv", "id_l,id_r,u_l,u_r,source,target\n9,1,2,3,4,5\n"}}, {"forest", "s.csv"}, "", "(--columns id_l,id_r)\n", 2},
      {{{"l.csv", "k,source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\n0,crm,1,shop,1\n"}},
       {"components", "l.csv", "-o", "-"},
       "crm:1\tcrm:1\nshop:1\tcrm:1\n",
       "source_dataset_l,unique_id_l and source_dataset_r,unique_id_r"},
      {{{"e.csv", "1,2\n"}, {"v.csv", ",name,unique_id\n0,anna,7\n"}},
       {"components", "e.csv", "--vertex-file", "v.csv", "-o", "-"},
       "1\t1\n2\t1\n7\t7\n",
       "the header names the ids: column unique_id (--vertex-file decides otherwise)"},
      {{{"e.csv", "1,2\n"}, {"v.csv", ",name,person\n0,anna,7\n"}},
       {"components", "e.csv", "--vertex-file", "v.csv"},
       "",
       "(--vertex-file v.csv:name)\n",
       2},
      {{{"g.csv", "u,v,w\n1,2,0.5\n2,3,0.7\n"}, {"p.csv", ",id1,id2\n0,1,3\n"}},
       {"explain", "g.csv", "--weight", "w", "--pairs", "p.csv"},
       "a,b,weight,from,to,edge,bridge\n1,3,0.5,1,2,1,yes\n",
       "the header names the ends: columns id1 and id2"},
      {{{"k.csv", ",key,id\n0,x,1\n1,x,2\n"}}, {"group", "k.csv", "--by-line", "-o", "-"}, "", "(--by key --id id)\n", 2},
  });
}

TEST(table_rules, of_separators_hold_in_every_command) {
  const std::string phones = "0151 230 1111,0151 230 2222\n0151 230 2222,0151 230 3333\n";
  const std::string labels = "0151 230 1111\t0151 230 1111\n0151 230 2222\t0151 230 1111\n0151 230 3333\t0151 230 1111\n";
  expect_rows({
      {{{"p.csv", phones}}, {"components", "p.csv", "-o", "-"}, labels, ""},
      {{{"p.csv", phones}}, {"components", "p.csv", "--columns", "1,2", "-o", "-"}, labels, ""},
      {{{"p.csv", "l,r\n" + phones}}, {"components", "p.csv", "--header", "yes", "-o", "-"}, labels, ""},
      {{{"p.data", phones}}, {"components", "p.data", "--format", "csv", "-o", "-"}, labels, ""},
      {{{"e.csv", phones}, {"v.csv", "0151 230 3333\n0151 230 4444\n"}},
       {"components", "e.csv", "--vertex-file", "v.csv", "-o", "-"},
       labels + "0151 230 4444\t0151 230 4444\n",
       ""},
      {{{"g.csv", "von;nach;gewicht\n1;2;0,5\n1;3;0,75\n"}}, {"group", "g.csv", "--by-line", "-o", "-"}, "2\t2\n3\t2\n", "by semicolons"},
      {{{"g.csv", phones}}, {"group", "g.csv", "--by-line", "-o", "-"}, "0151 230 2222\t0151 230 2222\n0151 230 3333\t0151 230 3333\n", ""},
      {{{"t.tsv", "0151 1\t0151 2\n"}}, {"components", "t.tsv", "-o", "-"}, "0151 1\t0151 1\n0151 2\t0151 1\n", ""},
      {{{"a.csv", phones}},
       {"components", "a.csv", "--append", "-"},
       "0151 230 1111,0151 230 2222,0151 230 1111\n0151 230 2222,0151 230 3333,0151 230 1111\n",
       ""},
      {{{"s.csv", phones}}, {"stream", "s.csv", "-o", "out.txt"}, "", ""},
      {{{"d.csv", "1;2;0,95\n2;3;0,85\n"}},
       {"components", "d.csv", "-o", "-"},
       "1\t1\n2\t1\n3\t1\n",
       "separated by semicolons, not by commas (--delimiter decides otherwise)"},
      {{{"d.txt", "101 202 0,95\n"}},
       {"components", "d.txt", "-o", "-"},
       "101\t101\n202\t101\n",
       "separated by blanks rather than by commas (--delimiter decides otherwise)"},
  });
}

TEST(table_rules, of_blanks_hold_in_every_command) {
  const std::string note = "had blanks around";
  const std::string padded = "left, right, w\nK-1, K-2, 0.9\nK-2, K-3, 0.8\n";
  const std::string labels = "K-1\tK-1\nK-2\tK-1\nK-3\tK-1\n";
  const std::vector<file> input{{"k.csv", padded}};
  expect_rows({
      {input, {"components", "k.csv", "-o", "-", "--verify"}, labels, note},
      {input, {"components", "k.csv", "--trim", "no", "-o", "-"}, " K-2\t K-2\n K-3\t K-3\nK-1\t K-2\nK-2\t K-3\n", ""},
      {input,
       {"components", "k.csv", "--columns", "left,right", "--weight", "w", "--min-weight", "0.85", "-o", "-"},
       "K-1\tK-1\nK-2\tK-1\n",
       note},
      {input, {"forest", "k.csv", "--maximum", "--weight", "w", "-o", "-"}, "K-1 K-2 0.9\nK-2 K-3 0.8\n", note},
      {input, {"bridges", "k.csv", "-o", "-"}, "K-1 K-2\nK-2 K-3\n", note},
      {input, {"stream", "k.csv", "-o", "out.txt"}, "", note},
      {input, {"reduce", "k.csv", "-o", "out.forest"}, "*", note},
      {{{"n.csv", "left, right\nann, NULL\nbob, NULL\n"}},
       {"components", "n.csv", "--na", "NULL", "-o", "-"},
       "",
       "2 edges dropped for a missing end"},
      {{{"m.csv", "left, right\nann, \n"}},
       {"components", "m.csv"},
       "",
       "m.csv:2: found an empty field, expected a string id in column 2",
       2},
      {{{"g.csv", "id, email\na, x@y\nb,x@y \nc,\" x@y\"\n"}},
       {"group", "g.csv", "--id", "id", "--by", "email", "-o", "-"},
       "a\ta\nb\ta\nc\tc\n",
       note},
      {{{"g.csv", "id, email\na, x@y\nb,x@y \n"}},
       {"group", "g.csv", "--id", "id", "--by", "email", "--trim", "no", "-o", "-"},
       "a\ta\nb\tb\n",
       ""},
      {{{"e.csv", "a,b\n"}, {"v.csv", "id\n c \n"}},
       {"components", "e.csv", "--vertex-file", "v.csv", "-o", "-"},
       "a\ta\nb\ta\nc\tc\n",
       note},
      {{{"g.csv", "u, v, w\na, b, 0.5\n"}, {"p.csv", "a , b\n"}},
       {"explain", "g.csv", "--weight", "w", "--pairs", "p.csv"},
       "a,b,weight,from,to,edge,bridge\na,b,0.5,a,b,1,yes\n",
       note},
      {{{"a.csv", "left, right\nK-1, K-2\n"}}, {"components", "a.csv", "--append", "-"}, "left, right,component\nK-1, K-2,K-1\n", note},
      {{{"e.csv", "K-1,K-2\n"}, {"l.csv", "id, component\nK-1, K-1\nK-2 ,K-1\n"}},
       {"verify", "e.csv", "l.csv"},
       "right: 2 vertices, 1 components\n",
       ""},
  });
}

TEST(table_rules, of_comments_hold_in_every_command) {
  const std::string refusal = "splits like a record, expected comments above the first record only (--comment ''";
  const std::vector<file> tags{{"t.tsv", "a\tb\n#c\td\n"}};
  expect_rows({
      {tags, {"components", "t.tsv"}, "", refusal, 2},
      {tags, {"forest", "t.tsv"}, "", refusal, 2},
      {tags, {"bridges", "t.tsv"}, "", refusal, 2},
      {tags, {"stream", "t.tsv"}, "", refusal, 2},
      {tags, {"reduce", "t.tsv", "-o", "out.forest"}, "", refusal, 2},
      {tags, {"group", "t.tsv", "--by-line"}, "", refusal, 2},
      {tags, {"components", "t.tsv", "--comment", "", "-o", "-"}, "#c\t#c\na\ta\nb\ta\nd\t#c\n", ""},
      {tags, {"components", "t.tsv", "--comment", "#", "-o", "-"}, "a\ta\nb\ta\n", "1 comment line follows the first record"},
      {{{"e.el", "a b\n"}, {"v.tsv", "id\tx\na\t1\n#c\t2\n"}}, {"components", "e.el", "--vertex-file", "v.tsv"}, "", refusal, 2},
      {{{"e.el", "1 2\n# remark\n2 3\n"}},
       {"components", "e.el", "-o", "-"},
       "1\t1\n2\t1\n3\t1\n",
       "1 comment line follows the first record"},
      {{{"h.tsv", "#source\ttarget\n1\t2\n"}},
       {"components", "h.tsv", "-o", "-"},
       "1\t1\n2\t1\n",
       "line 1 begins with # and is a comment, although it splits like the first record (--comment '' decides otherwise)"},
  });
}

TEST(table_rules, of_bipartite_lists_hold_in_every_command) {
  const std::vector<file> konect{{"out.txt", "% bip unweighted\n% 2 2 3\n1 2\n2 3\n"}};
  const std::string refusal = "out.txt:1: found a bipartite list (% bip)";
  expect_rows({
      {konect, {"components", "out.txt"}, "", refusal, 2},
      {konect, {"forest", "out.txt"}, "", refusal, 2},
      {konect, {"bridges", "out.txt"}, "", refusal, 2},
      {konect, {"stream", "out.txt"}, "", refusal, 2},
      {konect, {"reduce", "out.txt", "-o", "o.forest"}, "", refusal, 2},
      {konect, {"convert", "out.txt", "o.mtx"}, "", refusal, 2},
      {konect, {"components", "out.txt", "--prefix-left", "L", "-o", "-"}, "2\t2\n3\t3\nL1\t2\nL2\t3\n", ""},
      {konect, {"components", "out.txt", "--prefix-left", "L", "--prefix-right", "R", "-o", "-"}, "L1\tL1\nL2\tL2\nR2\tL1\nR3\tL2\n", ""},
  });
}

TEST(table_rules, of_parts_hold_in_every_command) {
  const std::vector<file> parts{{"p0.csv", "match_a,match_b\n"}, {"p1.csv", "match_a,match_b\n1,2\n2,3\n"}};
  const std::string note = "p0.csv: its only record is the first one of p1.csv, too: it is taken as their header";
  expect_rows({
      {parts, {"components", "p0.csv", "p1.csv", "-o", "-"}, "1\t1\n2\t1\n3\t1\n", note},
      {parts, {"components", "p1.csv", "p0.csv", "-o", "-"}, "1\t1\n2\t1\n3\t1\n", note},
      {parts, {"reduce", "p0.csv", "p1.csv", "-o", "o.forest"}, "*", note},
      {parts, {"group", "p0.csv", "p1.csv", "--id", "2", "--by", "1", "-o", "-"}, "2\t2\n3\t3\n", note},
      {parts, {"group", "p0.csv", "p1.csv", "--id", "match_b", "--by", "match_a", "-o", "-"}, "2\t2\n3\t3\n", ""},
      {{{"p0.csv", "a_a,a_b\n"}, {"p1.csv", "a_a,a_b\nx,y\n"}},
       {"components", "p0.csv", "p1.csv", "-o", "-"},
       "x\tx\ny\tx\n",
       "taken as their header"},
  });
}

}  // namespace
}  // namespace copse::cli_test
