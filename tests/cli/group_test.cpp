// copse group, end to end: what it reads, prints, writes and refuses.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

constexpr const char* people =
    "record,email,phone\n"
    "d,x@y,1\n"
    "c,\"x@y\",2\n"
    "b,,2\n"
    "a,NULL,3\n"
    "e,NULL,\n";

std::string labels_of(const workplace& folder, std::vector<std::string> arguments, std::string_view input = "") {
  arguments.insert(arguments.begin(), "group");
  arguments.insert(arguments.end(), {"-o", "labels.csv"});
  const outcome ended = folder.run(arguments, input);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  return folder.read("labels.csv");
}

TEST(group, records_that_share_a_value_or_a_chain_of_them_are_together) {
  const workplace folder;
  folder.write("p.csv", people);
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "record", "--by", "email,phone", "--verify"}), "id,component\na,a\nb,b\nc,b\nd,b\ne,a\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "record", "--by", "email,phone", "--na", "NULL", "--verify"}),
            "id,component\na,a\nb,b\nc,b\nd,b\ne,e\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "1", "--by", "2", "--header", "yes", "--na", "NULL", "--labels", "dense"}),
            "id,component\na,0\nb,1\nc,2\nd,2\ne,3\n");
}

TEST(group, columns_are_apart_unless_asked) {
  const workplace folder;
  folder.write("p.csv", "id,email,second\n1,a,b\n2,b,c\n3,c,\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "id", "--by", "email,second", "--verify"}), "id,component\n1,1\n2,2\n3,3\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "id", "--by", "email,second", "--one-namespace", "--verify"}),
            "id,component\n1,1\n2,1\n3,1\n");
}

TEST(group, integers_are_ordered_as_numbers_and_strings_by_bytes) {
  const workplace folder;
  folder.write("p.csv", "id,key\n10,x\n9,x\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "id", "--by", "key", "--verify"}), "id,component\n9,9\n10,9\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "--id", "id", "--by", "key", "--ids", "string", "--verify"}), "id,component\n10,10\n9,10\n");
}

// Fields in quotes hold line ends; comments and blank lines count as lines, too.
TEST(group, records_without_an_id_are_called_by_their_lines) {
  const workplace folder;
  folder.write("p.csv", "key,other\nx,1\n\"y\nz\",2\nx,\"3\n\n4\"\n\nw,2\n");
  for (const char* threads : {"1", "3"}) {
    EXPECT_EQ(labels_of(folder, {"p.csv", "--by", "key,other", "--threads", threads, "--verify"}), "id,component\n2,2\n3,3\n5,2\n9,3\n")
        << threads;
  }
  folder.write("q.csv", people);
  const std::string complaint = folder.refusal({"group", "p.csv", "q.csv", "--by", "1"});
  EXPECT_NE(complaint.find("2 files need a column of ids"), std::string::npos) << complaint;
}

TEST(group, lines_are_right_over_many_blocks) {
  const workplace folder;
  std::string text = "key,filler\n", expected = "id,component\n";
  const std::string filler(90, 'f');
  constexpr std::uint64_t lines = 60'000;  // more than five blocks
  for (std::uint64_t line = 2; line <= lines; ++line) {
    text += std::to_string(line % 20'000) + ',' + filler + '\n';
    expected += std::to_string(line) + ',' + std::to_string(line % 20'000 < 2 ? line % 20'000 + 20'000 : line % 20'000) + '\n';
  }
  folder.write("p.csv", text);
  EXPECT_EQ(labels_of(folder, {"p.csv", "--by", "key", "--threads", "4", "--verify"}), expected);
}

TEST(group, lines_of_a_key_and_an_id) {
  const workplace folder;
  folder.write("buckets.txt", "# key id\nb1 7\nb1 9\nb2 9\nb2 4\nb3 5\n");
  EXPECT_EQ(labels_of(folder, {"buckets.txt", "--by-line", "--verify"}), "id,component\n4,4\n5,5\n7,4\n9,4\n");
  EXPECT_EQ(labels_of(folder, {"buckets.txt", "--by-line", "--by", "2", "--id", "1", "--verify"}), "id,component\nb1,b1\nb2,b1\nb3,b3\n");
  EXPECT_EQ(labels_of(folder, {"-", "--by-line"}, "k,p1\nk,p2\n"), "id,component\np1,p1\np2,p1\n");
}

TEST(group, several_files_and_compressed_ones_are_one_table) {
  const workplace folder;
  folder.write("p.csv", people);
  folder.write("q.csv", "phone,record\n3,z\n1,\"y\"\n");
  EXPECT_EQ(labels_of(folder, {"p.csv", "q.csv", "--id", "record", "--by", "phone", "--verify"}),
            "id,component\na,a\nb,b\nc,b\nd,d\ne,e\ny,d\nz,a\n");
  ASSERT_EQ(std::system(("gzip -k '" + (folder.folder() / "p.csv").string() + "'").c_str()), 0);
  EXPECT_EQ(labels_of(folder, {"p.csv.gz", "--id", "record", "--by", "phone", "--verify"}), "id,component\na,a\nb,b\nc,b\nd,d\ne,e\n");
}

TEST(group, a_value_that_too_many_records_have_is_refused_or_left_out) {
  const workplace folder;
  folder.write("p.csv", "id,office,email\n1,555,a\n2,555,b\n3,555,a\n4,,b\n");
  EXPECT_EQ(folder.refusal({"group", "p.csv", "--id", "id", "--by", "office,email", "--max-group", "2", "-o", "labels.csv"}),
            "found 1 value that more than 2 records have: office \"555\" (3); expected none\n");
  EXPECT_FALSE(folder.has("labels.csv"));

  const outcome split = folder.run(
      {"group", "p.csv", "--id", "id", "--by", "office,email", "--max-group", "2", "--split", "--verify", "-o", "labels.csv", "--json"});
  EXPECT_EQ(split.exit_code, 0) << split.err;
  EXPECT_EQ(split.err, "copse: left out: office \"555\", which 3 records have\n");
  EXPECT_EQ(folder.read("labels.csv"), "id,component\n1,1\n2,2\n3,1\n4,2\n");
  EXPECT_EQ(json::parse(split.out)["left_out"].dump(), R"([{"column":"office","records":3,"value":"555"}])");

  const std::string piped = folder.refusal({"group", "-", "--id", "1", "--by", "2", "--max-group", "2", "--split"}, "1,x\n");
  EXPECT_NE(piped.find("can be read only once"), std::string::npos) << piped;
  EXPECT_EQ(folder.run({"group", "-", "--id", "1", "--by", "2", "--max-group", "2"}, "1,x\n2,x\n").exit_code, 0);
}

TEST(group, a_pipe_is_grouped_but_not_proved) {
  const workplace folder;
  ASSERT_EQ(mkfifo((folder.folder() / "pipe").c_str(), 0600), 0);
  {
    const std::jthread writer{[&] { std::ofstream{folder.folder() / "pipe"} << people; }};
    EXPECT_EQ(labels_of(folder, {"pipe", "--id", "record", "--by", "phone"}), "id,component\na,a\nb,b\nc,b\nd,d\ne,e\n");
  }
  for (const char* input : {"pipe", "-"}) {
    const std::string complaint = folder.refusal({"group", input, "--by", "1", "--verify"});
    EXPECT_NE(complaint.find("--verify reads the input twice"), std::string::npos) << complaint;
  }
}

TEST(group, a_summary_for_people_and_one_for_programs) {
  const workplace folder;
  folder.write("p.csv", people);
  const outcome ended =
      folder.run({"group", "p.csv", "--id", "record", "--by", "email,phone", "--na", "NULL", "--threads", "1", "--top", "1", "--verify"});
  EXPECT_EQ(ended.err, "");
  EXPECT_TRUE(
      ended.out.starts_with("records     5\nkeys        6 (4 missing, 4 different)\ngroups      3\nlargest     3 (label b)\nalone       2\n"
                            "threads     1\nseconds     "))
      << ended.out;
  EXPECT_TRUE(ended.out.ends_with("verified    yes\ntop 1       3 (label b)\n")) << ended.out;
  const outcome answered =
      folder.run({"group", "p.csv", "--id", "record", "--by", "email,phone", "--na", "NULL", "--json", "--sizes", "sizes.csv"});
  const json answer = json::parse(answered.out);
  EXPECT_EQ(answer["records"], 5);
  EXPECT_EQ(answer["rows"], 5);
  EXPECT_EQ(answer["keys"], 6);
  EXPECT_EQ(answer["missing"], 4);
  EXPECT_EQ(answer["values"], 4);
  EXPECT_EQ(answer["groups"], 3);
  EXPECT_EQ(answer["alone"], 2);
  EXPECT_EQ(answer["largest"]["label"], "b");
  EXPECT_EQ(folder.read("sizes.csv"), "component,size\na,1\nb,3\ne,1\n");
}

TEST(group, refusals_name_file_and_line) {
  const workplace folder;
  folder.write("p.csv", people);
  const auto error_of = [&](std::vector<std::string> arguments, std::string_view input = "") {
    arguments.insert(arguments.begin(), "group");
    return folder.refusal(arguments, input);
  };
  folder.write("no_id.csv", "id,key\na,x\n,y\n");
  EXPECT_EQ(error_of({"no_id.csv", "--id", "id", "--by", "key"}), "no_id.csv:3: found no id, expected an id in column 1\n");
  folder.write("short.csv", "id,key\na,x\nb\n");
  EXPECT_NE(error_of({"short.csv", "--id", "id", "--by", "key"}).find("short.csv:3: found 1 column"), std::string::npos);
  folder.write("mixed.csv", "id,key\n1,x\nb,x\n");
  EXPECT_NE(error_of({"mixed.csv", "--id", "id", "--by", "key"}).find("mixed.csv:3: found \"b\", expected an integer"), std::string::npos);
  EXPECT_NE(error_of({"p.csv", "--id", "record", "--by", "mail"}).find("p.csv:1: found no column \"mail\""), std::string::npos);
  EXPECT_EQ(error_of({"p.csv"}), "copse: group needs columns of keys, such as --by email,phone\n");
  EXPECT_NE(error_of({"p.csv", "--by", "email,email"}).find("not email,email"), std::string::npos);
  EXPECT_NE(error_of({"p.csv", "--by", "2", "--split"}).find("--split needs --max-group"), std::string::npos);
  EXPECT_NE(error_of({"p.csv", "--by-line", "--by", "1,2", "--id", "3"}).find("--by-line takes one column of keys, not 2"),
            std::string::npos);
  EXPECT_NE(error_of({"p.csv", "--by", "2", "-o", "p.csv"}).find("would overwrite the input"), std::string::npos);
  EXPECT_EQ(folder.read("p.csv"), people);
}

/// The same records as pairs that a sort puts next to each other.
TEST(group, agrees_with_components_of_pairs) {
  const workplace folder;
  std::mt19937_64 random{5};
  constexpr std::size_t rows = 20'000;
  std::vector<std::string> ids;
  std::array<std::vector<std::pair<std::string, std::size_t>>, 2> columns;
  std::string table = "id,a,b\n", pairs;
  for (std::size_t i = 0; i < rows; ++i) {
    ids.push_back("r" + std::to_string(random() % 100'000'000));
    table += ids.back();
    for (auto& column : columns) {
      const std::string value = random() % 5 == 0 ? "" : "v" + std::to_string(random() % (2 * rows));
      if (!value.empty()) column.emplace_back(value, i);
      table += ',' + value;
    }
    table += '\n';
    pairs += ids.back() + ',' + ids.back() + '\n';
  }
  for (auto& column : columns) {
    std::ranges::sort(column);
    for (std::size_t i = 1; i < column.size(); ++i) {
      if (column[i - 1].first == column[i].first) pairs += ids[column[i - 1].second] + ',' + ids[column[i].second] + '\n';
    }
  }
  folder.write("table.csv", table);
  folder.write("pairs.csv", pairs);
  ASSERT_EQ(folder.run({"components", "pairs.csv", "--ids", "string", "--header", "no", "-o", "pairs.txt"}).exit_code, 0);
  for (const char* threads : {"1", "2", "5"}) {
    const outcome ended =
        folder.run({"group", "table.csv", "--id", "id", "--by", "a,b", "--threads", threads, "--verify", "-o", "groups.txt"});
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_TRUE(folder.read("groups.txt") == folder.read("pairs.txt")) << threads;
  }
}

}  // namespace
}  // namespace copse::cli_test
