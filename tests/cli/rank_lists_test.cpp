// copse rank, end to end.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

TEST(rank, of_a_small_list_is_written) {
  const workplace folder;
  folder.write("list.txt", "1\n2\n-1\n4\n4\n");
  EXPECT_EQ(folder.output({"rank", "list.txt", "-o", "-"}), "0\t2\n1\t1\n2\t0\n3\t1\n4\t0\n");
  EXPECT_EQ(folder.run({"rank", "list.txt", "-o", "-", "--from", "head"}).out, "0\t0\n1\t1\n2\t2\n3\t0\n4\t1\n");
  EXPECT_EQ(folder
                .run({"rank", "-", "-o", "ranks.csv"},
                     "\xEF\xBB\xBF"
                     "1\n1\n")
                .exit_code,
            0);
  EXPECT_EQ(folder.read("ranks.csv"), "element,rank\n0,1\n1,0\n");
}

TEST(rank, takes_every_format) {
  const workplace folder;
  const std::string expected = folder.run({"rank", "lists:n=500,count=7", "-o", "-"}).out;
  for (const std::string suffix : {".npy", ".bin", ".bin64", ".txt"}) {
    ASSERT_EQ(folder.run({"generate", "lists:n=500,count=7", "-o", "list" + suffix}).exit_code, 0);
    EXPECT_EQ(folder.run({"rank", "list" + suffix, "-o", "-"}).out, expected) << suffix;
    EXPECT_EQ(folder.run({"rank", "list" + suffix, "-o", "ranks" + suffix, "--verify"}).exit_code, 0);
  }
  EXPECT_EQ(folder.read("ranks.txt"), expected);
  EXPECT_EQ(folder.read("ranks.bin").size(), 2000u);
  EXPECT_EQ(folder.read("ranks.bin64").size(), 4000u);
  EXPECT_EQ(folder.read("ranks.npy").substr(0, 6), "\x93NUMPY");
  // What was written as 64 bits reads as the numbers that it is.
  EXPECT_NE(folder.run({"rank", "ranks.bin64", "-o", "-"}).exit_code, 0);
}

TEST(rank, puts_weights_together) {
  const workplace folder;
  folder.write("list.txt", "1\n2\n2\n");
  folder.write("weights.txt", "5\n-2\n3\n");
  EXPECT_EQ(folder.run({"rank", "list.txt", "--weights", "weights.txt", "-o", "-"}).out, "0\t6\n1\t1\n2\t3\n");
  EXPECT_EQ(folder.run({"rank", "list.txt", "--weights", "weights.txt", "--op", "min", "-o", "-"}).out, "0\t-2\n1\t-2\n2\t3\n");
  EXPECT_EQ(folder.run({"rank", "list.txt", "--weights", "weights.txt", "--op", "max", "--from", "head", "-o", "-", "--verify"}).out,
            "0\t5\n1\t5\n2\t5\n");
  EXPECT_EQ(folder.refusal({"rank", "list.txt", "--weights", "weights.txt", "-o", "ranks.bin"}),
            "ranks.bin: found weighted ranks, of 64 bits, expected the suffix .bin64 or .npy\n");
  EXPECT_FALSE(folder.has("ranks.bin"));
}

TEST(rank, tells_json_and_the_same_checksum_whoever_ranked) {
  const workplace folder;
  std::string checksum;
  for (const std::string variant :
       {"serial.walk", "serial.wyllie", "serial.helman_jaja", "serial.fis", "threads.wyllie", "threads.helman_jaja", "threads.fis"}) {
    const json report = json::parse(folder.output({"rank", "lists:n=20000,count=12", "--variant", variant, "--threads", "2", "--trials",
                                                   "3", "--verify", "--json", "--rounds", "5", "--splitters", "50"}));
    EXPECT_EQ(report["variant"], variant);
    EXPECT_EQ(report["elements"], 20000);
    EXPECT_EQ(report["lists"], 12);
    EXPECT_EQ(report["from"], "end");
    EXPECT_EQ(report["verified"], true);
    EXPECT_EQ(report["solve_seconds_all"].size(), 3u);
    EXPECT_FALSE(report["phases"].empty());
    EXPECT_EQ(report["rounds"].size(), variant.ends_with("fis") ? 5u : 0u);
    EXPECT_GT(report["peak_bytes"], 80000);
    if (checksum.empty()) checksum = report["checksum"];
    EXPECT_EQ(report["checksum"], checksum);
  }
}

TEST(rank, refuses_with_the_file_and_the_element) {
  const workplace folder;
  const auto refused = [&](const std::string& text) {
    folder.write("list.txt", text);
    const std::string complaint = folder.refusal({"rank", "list.txt", "-o", "ranks.txt"});
    EXPECT_FALSE(folder.has("ranks.txt"));
    return complaint;
  };
  EXPECT_EQ(refused("1\n0\n"), "list.txt: found element 0 on a cycle, expected every list to end\n");
  EXPECT_EQ(refused("2\n2\n2\n"), "list.txt: found element 2 after 0 and after 1, expected one predecessor at most\n");
  EXPECT_EQ(refused("1\n7\n"), "list.txt: found 7 after element 1, expected an element below 2, or itself or -1 where a list ends\n");
  EXPECT_EQ(refused("1\n-2\n"), "list.txt:2: found -2, expected one element, or -1 where a list ends\n");
  EXPECT_EQ(refused("1\n\n"), "list.txt:2: found an empty line, expected one element, or -1 where a list ends\n");
  EXPECT_EQ(refused("1 2\n"), "list.txt:1: found 1 2, expected one element, or -1 where a list ends\n");
  folder.write("list.bin", "12345");
  EXPECT_EQ(folder.run({"rank", "list.bin"}).err, "list.bin: found 5 bytes, expected the successors of 4 bytes each\n");
}

TEST(rank, refuses_options_that_make_no_sense) {
  const workplace folder;
  const auto said = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"rank", "list:n=5"});
    return folder.refusal(more);
  };
  EXPECT_EQ(said({"--op", "min"}), "copse: --op needs --weights FILE\n");
  EXPECT_EQ(said({"-o", "-", "--json"}), "copse: --json and an output - cannot both go to standard output: give the output a file\n");
  EXPECT_EQ(said({"-o", "ranks.mtx"}),
            "ranks.mtx: found the suffix .mtx, expected .txt .csv .npy .bin .bin64 .parquet or .arrow for ranks\n");
  EXPECT_TRUE(said({"--variant", "threads.walk"}).starts_with("copse: there is no variant threads.walk; use one of auto, serial.walk, "));
  EXPECT_EQ(said({"--in-flight", "300"}), "copse: --in-flight takes a whole number from 1 to 256, not 300\n");
  EXPECT_EQ(folder.run({"rank", "list:n=5,shuffle=1"}).err,
            "copse: list:n=5,shuffle=1: found parameter 'shuffle', expected it for ordered_list only: this order is random already\n");
  folder.write("weights.txt", "1\n");
  EXPECT_EQ(said({"--weights", "weights.txt"}), "weights.txt: found 1 weights, expected 5, one per element\n");
  EXPECT_EQ(folder.run({"rank", "list:n=1000000", "--memory", "1M"}).exit_code, 3);
}

TEST(rank, lists_its_variants_in_the_help_and_explains_auto) {
  const workplace folder;
  const outcome help = folder.run({"rank", "--help"});
  for (const std::string name : {"serial.walk", "threads.helman_jaja", "threads.fis"}) EXPECT_NE(help.out.find(name), std::string::npos);
  EXPECT_NE(folder.run({"rank", "list:n=10", "--explain"}).err.find("serial.walk"), std::string::npos);
  EXPECT_NE(folder.run({"generate", "--help"}).out.find("ordered_list"), std::string::npos);
}

}  // namespace
}  // namespace copse::cli_test
