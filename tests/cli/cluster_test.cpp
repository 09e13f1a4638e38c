// Clusters under constraints, end to end.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

constexpr const char* pairs = "l,r,score\nann,bob,.9\nbob,cid,.8\ncid,dan,.7\ncid,bob,.6\ndan,eve,.3\n";
constexpr const char* people = "id,source,town\nann,crm,oslo\nbob,web,oslo\ncid,crm,rome\ndan,,rome\neve,crm,oslo\nfay,web,\n";

class cluster_command : public testing::Test {
protected:
  cluster_command() {
    folder.write("pairs.csv", pairs);
    folder.write("people.csv", people);
  }
  [[nodiscard]] std::vector<std::string> with(std::vector<std::string> further) const {
    const std::vector<std::string> begin{"cluster", "pairs.csv", "--weight", "score", "--threads", "2"};
    further.insert(further.begin(), begin.begin(), begin.end());
    return further;
  }
  workplace folder;
};

TEST_F(cluster_command, without_constraints_is_components) {
  const std::string answer = folder.run(with({"--threshold", ".5", "-o", "-"})).out;
  EXPECT_EQ(answer, "ann\tann\nbob\tann\ncid\tann\ndan\tann\n");
  EXPECT_EQ(folder.run({"components", "pairs.csv", "--weight", "score", "--min-weight", ".5", "-o", "-"}).out, answer);
}

TEST_F(cluster_command, keeps_one_record_of_each_value_and_says_what_was_refused) {
  const outcome ended =
      folder.run(with({"--vertex-file", "people.csv", "--one-per", "source", "-o", "c.csv", "--refused", "r.csv", "--json"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(folder.read("c.csv"), "id,component\nann,ann\nbob,ann\ncid,cid\ndan,cid\neve,eve\nfay,fay\n");
  EXPECT_EQ(folder.read("r.csv"),
            "u,v,score,constraint,u_cluster,v_cluster\nbob,cid,0.8,one_per source,ann,cid\ndan,eve,0.3,one_per source,cid,eve\n");
  const json said = json::parse(ended.out);
  EXPECT_EQ(said["exempt"]["source"], 1);
  EXPECT_EQ(said["passes"], 2);
  EXPECT_EQ(said["careful_pairs"], 5);
  EXPECT_EQ(said["answers"][0]["refused"]["one_per source"], 2);
  EXPECT_EQ(said["answers"][0]["clusters"], 4);
  EXPECT_TRUE(said["answers"][0]["threshold"].is_null());
}

TEST_F(cluster_command, has_a_column_for_each_of_several_thresholds) {
  const auto ended = folder.run(with({"--threshold", ".85,.5", "--max-records", "2", "-o", "c.csv", "--refused", "r.csv"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(folder.read("c.csv"), "id,at_0.85,at_0.5\nann,ann,ann\nbob,ann,ann\ncid,cid,cid\ndan,dan,cid\n");
  EXPECT_EQ(folder.read("r.csv"), "threshold,u,v,score,constraint,u_cluster,v_cluster\n0.5,bob,cid,0.8,max_records,ann,cid\n");
  EXPECT_EQ(folder.refusal(with({"--threshold", ".85,.5", "--sizes", "s.csv"})),
            "copse: --labels, --output-format, --sizes and --npy-ids need a single --threshold\n");
}

TEST_F(cluster_command, counts_several_limits_apart) {
  const auto ended = folder.run(with({"--vertex-file", "people.csv", "--one-per", "source:2", "--one-per", "town:3", "--json"}));
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const json refused = json::parse(ended.out)["answers"][0]["refused"];
  EXPECT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused["one_per source"], 1);
  EXPECT_EQ(refused["one_per town"], 0);
}

TEST_F(cluster_command, keeps_pairs_apart) {
  folder.write("apart.csv", "u,v\nann,cid\nann,zoe\n");
  const auto ended = folder.run(with({"--cannot-link", "apart.csv", "-o", "c.csv", "--refused", "r.txt"}));
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_NE(ended.err.find("apart.csv: 1 pair has an id that is not in the graph"), std::string::npos) << ended.err;
  EXPECT_EQ(folder.read("c.csv"), "id,component\nann,ann\nbob,ann\ncid,cid\ndan,cid\neve,cid\n");
  EXPECT_EQ(folder.read("r.txt"), "bob\tcid\t0.8\tcannot_link\tann\tcid\n");
}

TEST_F(cluster_command, joins_by_best_links_and_cuts_weak_bridges) {
  EXPECT_EQ(folder.run(with({"--best-link", "mutual", "-o", "-"})).out, "ann\tann\nbob\tann\ncid\tcid\ndan\tdan\neve\teve\n");
  EXPECT_EQ(folder.run(with({"--best-link", "either", "-o", "-"})).out, "ann\tann\nbob\tann\ncid\tann\ndan\tann\neve\tann\n");
  const auto ended = folder.run(with({"--cut-bridges", ".85", "-o", "c.csv"}));
  EXPECT_NE(ended.out.find("cut bridges 2\n"), std::string::npos) << ended.out << ended.err;
  EXPECT_EQ(folder.read("c.csv"), "id,component\nann,ann\nbob,ann\ncid,cid\ndan,dan\neve,dan\n");
}

TEST_F(cluster_command, reads_pipes_unless_pairs_are_needed_again) {
  const std::vector<std::string> piped{"cluster", "-", "--format", "csv", "--weight", "score", "-o", "-"};
  EXPECT_EQ(folder.run(piped, pairs).out, "ann\tann\nbob\tann\ncid\tann\ndan\tann\neve\tann\n");
  auto limited = piped;
  limited.insert(limited.end(), {"--max-records", "2"});
  EXPECT_EQ(folder.refusal(limited, pairs),
            "copse: note: <stdin>: the ids are not numeric: read as strings\ncopse: standard input: cannot be a pipe, because 1 "
            "component breaks a constraint and its pairs are needed again; write the pairs to a file first\n");
  limited.insert(limited.end(), {"--best-link", "either"});
  EXPECT_EQ(folder.run(limited, pairs).out, "ann\tann\nbob\tann\ncid\tcid\ndan\tcid\neve\teve\n");
}

TEST_F(cluster_command, takes_signed_and_sparse_ids) {
  folder.write("signed.csv", "a,b,score\n-5,7000000000,.9\n7000000000,3,.8\n3,-9,.8\n");
  EXPECT_EQ(folder.run({"cluster", "signed.csv", "--weight", "score", "--max-records", "2", "-o", "-"}).out,
            "-9\t-9\n-5\t-5\n3\t-9\n7000000000\t-5\n");
}

TEST_F(cluster_command, refuses_what_makes_no_sense) {
  const auto expect = [&](std::vector<std::string> further, const std::string& text) { EXPECT_EQ(folder.refusal(with(further)), text); };
  expect({"--one-per", "source"}, "copse: --one-per needs --vertex-file FILE, whose column it names\n");
  expect({"--one-per", "source:0", "--vertex-file", "people.csv"},
         "copse: --one-per takes a column such as source, or a column and a limit from 1 such as source:2, not source:0\n");
  expect({"--max-records", "0"}, "copse: --max-records takes a whole number from 1, not 0\n");
  expect({"--best-link", "both"}, "copse: --best-link takes mutual or either, not both\n");
  expect({"--threshold", "high"}, "copse: --threshold takes numbers with commas between them, not high\n");
  EXPECT_EQ(folder.refusal({"cluster", "pairs.csv"}),
            "copse: cluster needs --weight C, which names the column of weights of an edge list\n");
  folder.write("twice.csv", "id,source\nann,crm\nann,web\n");
  EXPECT_TRUE(folder.refusal(with({"--one-per", "source", "--vertex-file", "twice.csv"}))
                  .ends_with("\ntwice.csv: found two values in column source for the record ann, expected one\n"));
  EXPECT_EQ(folder.run(with({"--one-per", "colour", "--vertex-file", "people.csv"})).exit_code, 2);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"pairs.csv", "people.csv", "twice.csv"}));
}

TEST_F(cluster_command, is_explained) {
  const std::vector<std::string> begin{"explain", "pairs.csv", "ann", "dan", "--weight", "score"};
  auto arguments = begin;
  arguments.insert(arguments.end(), {"--vertex-file", "people.csv", "--one-per", "source"});
  const outcome apart = folder.run(arguments);
  EXPECT_EQ(apart.exit_code, 1) << apart.err;
  EXPECT_NE(apart.out.find("kept apart: the clusters ann and cid\nrefused: bob  cid  score 0.8: kept apart by one_per source\n"),
            std::string::npos)
      << apart.out;
  arguments.push_back("--json");
  const json said = json::parse(folder.run(arguments).out);
  EXPECT_EQ(said["path"].size(), 3u);
  EXPECT_EQ(said["clusters"]["refused"][0]["constraint"], "one_per source");
  arguments = begin;
  arguments.insert(arguments.end(), {"--max-records", "9"});
  const outcome together = folder.run(arguments);
  EXPECT_EQ(together.exit_code, 0) << together.err;
  EXPECT_NE(together.out.find("one cluster: ann\n"), std::string::npos) << together.out;
}

TEST_F(cluster_command, of_an_empty_file_is_empty) {
  folder.write("pairs.csv", "");
  EXPECT_EQ(folder.run({"cluster", "pairs.csv", "--weight", "3", "--max-records", "1", "--cut-bridges", ".5", "-o", "-"}).out, "");
}

}  // namespace
}  // namespace copse::cli_test
