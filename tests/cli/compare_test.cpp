// copse compare: tables of every format, what is reported, and what is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

constexpr const char* clusters = "id,component\n1,1\n2,1\n3,1\n4,4\n5,4\n6,6\n";
constexpr const char* truth = "record\tentity\n6\t-1\n5\t7\n4\t7\n3\t7\n2\t5\n1\t5\n";

json compared(const workplace& folder, std::vector<std::string> arguments, std::string_view input = "") {
  arguments.insert(arguments.begin(), "compare");
  arguments.emplace_back("--json");
  return json::parse(folder.output(arguments, input));
}

/// The answer, but for what depends on the run.
json answer(json all) {
  for (const char* key : {"threads", "seconds", "peak_bytes"}) all.erase(key);
  return all;
}

TEST(compare, says_how_well_and_where) {
  const workplace folder;
  folder.write("clusters.csv", clusters);
  folder.write("truth.tsv", truth);
  const std::string text = folder.output({"compare", "clusters.csv", "truth.tsv"});
  EXPECT_EQ(text.substr(0, text.find("seconds")),
            "records     6\n"
            "clusters    3 (4 pairs)\n"
            "truth       3 (4 pairs, 2 of them in a cluster)\n"
            "pairwise    precision 0.500000, recall 0.500000, F1 0.500000\n"
            "B-cubed     precision 0.777778, recall 0.777778, F1 0.777778\n"
            "Rand index  0.318182 (adjusted)\n"
            "splits      1 cluster of the truth\n"
            "  7: 3 records in 2 parts, 2 pairs apart: 4 (2) 1 (1)\n"
            "merges      1 cluster\n"
            "  1: 3 records in 2 parts, 2 pairs apart: 5 (2) 7 (1)\n");
  const json all = compared(folder, {"clusters.csv", "truth.tsv", "--parts", "1"});
  EXPECT_EQ(all["pairs"], (json{{"clusters", 4}, {"truth", 4}, {"both", 2}}));
  EXPECT_EQ(all["splits"]["worst"],
            json::parse(R"([{"label": 7, "records": 3, "pairs": 2, "parts": 2, "largest": [{"label": 4, "records": 2}]}])"));
  EXPECT_EQ(compared(folder, {"clusters.csv", "truth.tsv", "--top", "0"})["merges"], (json{{"count", 1}, {"worst", json::array()}}));
  EXPECT_GT(all["peak_bytes"], 0);
}

TEST(compare, every_format_of_labels_is_one_answer) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=500,m=300", "-o", "er.mtx"}).exit_code, 0);
  ASSERT_EQ(folder.run({"generate", "er:n=500,m=260,seed=9", "-o", "other.mtx"}).exit_code, 0);
  ASSERT_EQ(folder.run({"components", "other.mtx", "-o", "truth.txt"}).exit_code, 0);
  json first;
  for (const std::string kind : {"min", "dense"}) {
    for (const std::string file : {"l.csv", "l.txt", "l.npz", "l.csv.gz"}) {
      ASSERT_EQ(folder.run({"components", "er.mtx", "-o", file, "--labels", kind}).exit_code, 0) << file;
      const json found = compared(folder, {file, "truth.txt"});
      EXPECT_EQ(found["records"], 500) << file;
      if (first.is_null()) first = answer(found);
      EXPECT_EQ(answer(found)["pairwise"], first["pairwise"]) << file << ' ' << kind;
      EXPECT_EQ(answer(found)["b_cubed"], first["b_cubed"]) << file << ' ' << kind;
      EXPECT_EQ(compared(folder, {file, file})["adjusted_rand_index"], 1.0) << file;
    }
  }
  // Files without ids count from 0, those of .mtx from 1.
  for (const std::string file : {"a.npy", "a.bin"}) {
    ASSERT_EQ(folder.run({"components", "er.mtx", "-o", file}).exit_code, 0);
    ASSERT_EQ(folder.run({"components", "er.mtx", "-o", "dense.npy", "--labels", "dense"}).exit_code, 0);
    EXPECT_EQ(compared(folder, {file, "dense.npy"})["pairwise"]["f1"], 1.0) << file;
  }
}

TEST(compare, precision_of_one_way_is_recall_of_the_other) {
  const workplace folder;
  folder.write("a.csv", clusters);
  folder.write("b.tsv", truth);
  const json one = compared(folder, {"a.csv", "b.tsv"}), other = compared(folder, {"b.tsv", "a.csv"});
  EXPECT_EQ(one["b_cubed"]["precision"], other["b_cubed"]["recall"]);
  EXPECT_EQ(one["splits"], other["merges"]);
  EXPECT_EQ(one["adjusted_rand_index"], other["adjusted_rand_index"]);
}

TEST(compare, threads_change_nothing) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=60000,m=30000", "-o", "er.el"}).exit_code, 0);
  ASSERT_EQ(folder.run({"components", "er.el", "-o", "a.txt"}).exit_code, 0);
  ASSERT_EQ(folder.run({"components", "er.el", "-o", "b.csv", "--vertices", "60000"}).exit_code, 0);
  const json alone = answer(compared(folder, {"a.txt", "b.csv", "--common", "--threads", "1"}));
  EXPECT_GT(alone["only_in_truth"], 0);
  for (const std::string threads : {"2", "7"}) {
    EXPECT_EQ(answer(compared(folder, {"a.txt", "b.csv", "--common", "--threads", threads})), alone) << threads;
  }
}

TEST(compare, records_of_one_table_are_refused_or_counted) {
  const workplace folder;
  folder.write("clusters.csv", clusters);
  folder.write("truth.csv", "id,entity\n1,ann\n2,ann\n4,ann\n9,bob\n8,bob\n");
  EXPECT_NE(folder.refusal({"compare", "clusters.csv", "truth.csv"})
                .find("found 3 records only in clusters.csv, such as \"3\", and 2 records only in truth.csv, such as \"8\","),
            std::string::npos);
  const json found = compared(folder, {"clusters.csv", "truth.csv", "--common"});
  EXPECT_EQ(found["records"], 3);
  EXPECT_EQ(found["only_in_clusters"], 3);
  EXPECT_EQ(found["only_in_truth"], 2);
  EXPECT_EQ(found["pairs"], (json{{"clusters", 1}, {"truth", 3}, {"both", 1}}));
  EXPECT_EQ(found["splits"]["worst"][0]["label"], "ann");
}

TEST(compare, a_header_of_strings_is_no_record_and_a_note_says_so) {
  const workplace folder;
  folder.write("a.csv", "name,group\nann,x\nbob,x\n");
  folder.write("b.csv", "name,entity\nann,1\nbob,2\n");
  EXPECT_EQ(compared(folder, {"a.csv", "b.csv"})["records"], 2);
  EXPECT_NE(folder.run({"compare", "a.csv", "b.csv"}).err.find("a.csv: the first line is taken as a header"), std::string::npos);
  EXPECT_EQ(compared(folder, {"a.csv", "b.csv", "--header", "no"})["records"], 3);
  EXPECT_EQ(compared(folder, {"a.csv", "b.csv", "--header", "no", "--ids", "string"})["records"], 3);
}

TEST(compare, integer_ids_of_a_file_without_text_and_labels_that_are_strings) {
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  ASSERT_EQ(folder.run({"components", "g.el", "-o", "a.npy"}).exit_code, 0);
  folder.write("b.csv", "id,entity\n0,ann\n1,ann\n2,bob\n3,cid\n");
  const json found = compared(folder, {"a.npy", "b.csv"});
  EXPECT_EQ(found["pairs"], (json{{"clusters", 2}, {"truth", 1}, {"both", 1}}));
  EXPECT_EQ(found["merges"]["worst"][0]["label"], 2);
}

TEST(compare, columns_by_name_and_of_the_truth_alone) {
  const workplace folder;
  folder.write("a.csv", "component,size,id\n1,2,10\n1,2,20\n");
  folder.write("b.csv", "id,name,entity\n20,x,5\n10,y,6\n");
  const json found = compared(folder, {"a.csv", "b.csv", "--columns", "id,component", "--truth-columns", "id,entity"});
  EXPECT_EQ(found["merges"]["worst"][0]["largest"].size(), 2u);
  EXPECT_EQ(compared(folder, {"a.csv", "b.csv", "--columns", "3,1", "--truth-columns", "1,3"})["records"], 2);
  EXPECT_NE(folder.refusal({"compare", "a.csv", "b.csv", "--columns", "id"}).find("--columns takes two different columns"),
            std::string::npos);
}

TEST(compare, standard_input_is_one_of_the_tables) {
  const workplace folder;
  folder.write("b.tsv", truth);
  EXPECT_EQ(compared(folder, {"-", "b.tsv"}, "1 1\n2 1\n3 1\n4 4\n5 4\n6 6\n")["pairwise"]["precision"], 0.5);
  EXPECT_NE(folder.refusal({"compare", "-", "-"}).find("only one of CLUSTERS and TRUTH can be standard input (-)"), std::string::npos);
}

TEST(compare, what_cannot_be_compared_is_refused) {
  const workplace folder;
  folder.write("clusters.csv", clusters);
  folder.write("twice.csv", "id,component\n1,1\n2,1\n1,1\n");
  folder.write("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 1\n1 2\n");
  folder.write("empty.csv", "id,component\n");
  EXPECT_NE(folder.refusal({"compare", "twice.csv", "clusters.csv"}).find("twice.csv: found the record 1 more than once"),
            std::string::npos);
  EXPECT_NE(folder.refusal({"compare", "clusters.csv", "g.mtx"}).find("not a graph (mtx)"), std::string::npos);
  EXPECT_NE(folder.refusal({"compare", "empty.csv", "clusters.csv", "--common"}).find("no record that both tables have"),
            std::string::npos);
  EXPECT_NE(folder.refusal({"compare", "clusters.csv", "gone.csv"}).find("gone.csv"), std::string::npos);
}

}  // namespace
}  // namespace copse::cli_test
