// copse reduce, copse merge and copse plan, end to end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

std::string random_text(const std::string& before, std::uint64_t times) {
  std::mt19937 random{3};
  std::string text;
  const auto name = [&] { return before + std::to_string(random() % 400 * times); };
  for (int i = 0; i < 300; ++i) {
    const std::string u = name();
    text += u + " " + name() + "\n";
  }
  return text;
}

/// The file that one process writes.
std::string labels_of_whole(const workplace& folder) {
  EXPECT_EQ(folder.run({"components", "g.el", "-o", "whole.csv"}).exit_code, 0);
  return folder.read("whole.csv");
}

TEST(reduce_and_merge, write_the_file_of_one_process) {
  for (const auto& [before, times] : {std::pair{std::string{}, 1}, std::pair{std::string{}, 1000003}, std::pair{std::string{"v"}, 1}}) {
    const workplace folder;
    folder.write("g.el", random_text(before, static_cast<std::uint64_t>(times)));
    const std::string expected = labels_of_whole(folder);
    for (const int parts : {1, 3, 7}) {
      std::vector<std::string> merge{"merge"};
      for (int part = parts; part >= 1; --part) {
        const std::string file = std::to_string(part) + ".forest";
        const std::string reduced =
            folder.output({"reduce", "g.el", "--part", std::to_string(part) + "/" + std::to_string(parts), "-o", file, "--verify"});
        EXPECT_NE(reduced.find("verified    yes"), std::string::npos) << reduced;
        merge.push_back(file);
      }
      merge.insert(merge.end(), {"-o", "labels.csv", "--verify", "--verify-against", "g.el"});
      const outcome merged = folder.run(merge);
      ASSERT_EQ(merged.exit_code, 0) << merged.err;
      EXPECT_EQ(folder.read("labels.csv"), expected) << parts;
    }
  }
}

TEST(reduce_and_merge, take_options_of_reading_and_go_on_in_a_tree) {
  const workplace folder;
  folder.write("pairs.csv", "l,r,p\na,b,0.9\nb,c,0.2\nd,e,0.8\n");
  folder.write("more.csv", "l,r,p\nc,d,0.95\n");
  const std::vector<std::string> reading{"--weight", "p", "--min-weight", "0.5"};
  const auto with = [&reading](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), reading.begin(), reading.end());
    return arguments;
  };
  ASSERT_EQ(folder.run(with({"reduce", "pairs.csv", "-o", "1.forest"})).exit_code, 0);
  ASSERT_EQ(folder.run(with({"reduce", "more.csv", "-o", "2.forest"})).exit_code, 0);
  EXPECT_EQ(json::parse(folder.output({"merge", "1.forest", "2.forest", "-o", "12.forest", "--json"}))["vertices"], 5);
  const outcome outer = folder.run(
      with({"merge", "12.forest", "1.forest", "-o", "labels.csv", "--labels", "dense", "--verify-against", "pairs.csv", "more.csv"}));
  ASSERT_EQ(outer.exit_code, 0) << outer.err;
  EXPECT_EQ(folder.read("labels.csv"), "id,component\na,0\nb,0\nc,1\nd,1\ne,1\n");
}

TEST(reduce_and_merge, of_compressed_files_and_rows_whole_files_are_parts) {
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n3 4\n");
  ASSERT_EQ(folder.run({"convert", "g.el", "g.el.gz"}).exit_code, 0);
  ASSERT_EQ(folder.run({"convert", "g.el", "g.sg"}).exit_code, 0);
  for (const std::string file : {"g.el.gz", "g.sg"}) {
    ASSERT_EQ(folder.run({"reduce", file, "--part", "1/2", "-o", "1.forest"}).exit_code, 0);
    EXPECT_EQ(json::parse(folder.output({"reduce", file, "--part", "2/2", "-o", "2.forest", "--json"}))["vertices"], 0) << file;
    const outcome merged = folder.run({"merge", "2.forest", "1.forest", "-o", "-"});
    EXPECT_EQ(merged.out, "0\t0\n1\t0\n2\t2\n3\t2\n4\t2\n") << file;
  }
}

TEST(reduce_and_merge, refuse_what_they_cannot_do) {
  const workplace folder;
  folder.write("g.el", "0 1\n");
  folder.write("s.el", "a b\n");
  ASSERT_EQ(folder.run({"reduce", "g.el", "-o", "g.forest"}).exit_code, 0);
  ASSERT_EQ(folder.run({"reduce", "s.el", "-o", "s.forest"}).exit_code, 0);
  EXPECT_EQ(folder.refusal({"reduce", "g.el", "--part", "3/2", "-o", "x.forest"}),
            "copse: --part takes a part such as 3/16, counted from 1, not 3/2\n");
  EXPECT_EQ(folder.refusal({"reduce", "-", "--part", "1/2", "-o", "x.forest"}, "0 1\n"),
            "copse: standard input cannot be read in parts: give files\n");
  EXPECT_EQ(folder.refusal({"reduce", "karate", "--part", "1/2", "-o", "x.forest"}), "copse: --part takes files, not a generator spec\n");
  EXPECT_EQ(folder.refusal({"merge", "g.forest", "s.forest"}),
            "copse: s.forest: merge: found strings, expected integers as in the forests before\n");
  folder.write("n.el", "-1 2\n");
  folder.write("l.el", "18446744073709551615 2\n");
  ASSERT_EQ(folder.run({"reduce", "n.el", "-o", "n.forest"}).exit_code, 0);
  ASSERT_EQ(folder.run({"reduce", "l.el", "-o", "l.forest"}).exit_code, 0);
  EXPECT_EQ(folder.refusal({"merge", "n.forest", "g.forest", "l.forest"}),
            "copse: l.forest: merge: found the id 18446744073709551615, expected ids below 2^63, as a forest before has -1\n");
  EXPECT_EQ(folder.refusal({"merge", "g.el"}),
            "g.el: found no saved connectivity, expected a file that copse has saved (it begins with \"copse-cc\")\n");
  EXPECT_EQ(folder.refusal({"merge", "g.forest", "-o", "g.forest"}).find("copse: ") == 0, true);
  std::string damaged = folder.read("g.forest");
  damaged[50] = static_cast<char>(damaged[50] ^ 1);
  folder.write("damaged.forest", damaged);
  EXPECT_EQ(folder.refusal({"merge", "damaged.forest", "-o", "labels.csv"}),
            "damaged.forest: found a wrong checksum, expected the bytes that were saved (the file is damaged)\n");
  EXPECT_FALSE(folder.has("labels.csv"));
  EXPECT_FALSE(folder.has("x.forest"));
}

TEST(reduce_and_merge, a_wrong_answer_is_not_written) {
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  folder.write("more.el", "0 1\n2 3\n1 2\n");
  ASSERT_EQ(folder.run({"reduce", "g.el", "-o", "g.forest"}).exit_code, 0);
  const outcome ended = folder.run({"merge", "g.forest", "-o", "labels.csv", "--verify-against", "more.el"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_NE(ended.err.find("wrong labels, nothing written"), std::string::npos) << ended.err;
  EXPECT_FALSE(folder.has("labels.csv"));
}

TEST(reduce_and_merge, a_checkpoint_of_a_stream_is_a_forest) {
  const workplace folder;
  for (const auto& [text, expected] :
       {std::pair{"0 1\n2 3\n", "0\t0\n1\t0\n2\t2\n3\t2\n"}, std::pair{"b a\nc d\n", "a\ta\nb\ta\nc\tc\nd\tc\n"}}) {
    folder.write("g.el", text);
    ASSERT_EQ(folder.run({"stream", "g.el", "--checkpoint", "state.copse"}).exit_code, 0);
    EXPECT_EQ(folder.run({"merge", "state.copse", "-o", "-"}).out, expected);
  }
}

TEST(plan, says_what_each_way_takes) {
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  const json plan = json::parse(folder.output({"plan", "g.el", "--json", "--workers", "4"}));
  EXPECT_EQ(plan["edges"], 2);
  EXPECT_EQ(plan["vertices"], 4);
  EXPECT_EQ(plan["auto"], "stream");
  EXPECT_EQ(plan["auto_device"], "cpu");
  const std::string reason = plan["auto_reason"];
  EXPECT_NE(folder.run({"components", "g.el", "--device", "auto", "--explain"}).err.find(reason), std::string::npos)
      << reason << ": the reason that --device auto gives";
  ASSERT_GE(plan["ways"].size(), 3u);
  EXPECT_EQ(plan["ways"][0]["way"], "stream");
  EXPECT_EQ(plan["ways"][0]["bytes"], 2 * 16) << "parents or labels, and sizes";
  EXPECT_EQ(plan["ways"][2]["way"], "4 workers");
  const json info = json::parse(folder.run({"info", "g.el", "--json"}).out);
  EXPECT_EQ(info["memory_bytes"], plan["ways"][0]["bytes"]) << "one estimator";
}

TEST(plan, of_sizes_alone) {
  const workplace folder;
  const json plan = json::parse(
      folder.output({"plan", "--vertices", "100000000000", "--edges", "1000000000000", "--memory", "1G", "--workers", "1000", "--json"}));
  for (const json& way : plan["ways"]) EXPECT_EQ(way["fits"], false) << way;
  EXPECT_EQ(folder.run({"plan", "--vertices", "10"}).err, "copse: plan needs a GRAPH, or --vertices N and --edges M\n");
  folder.write("g.el", "0 1\n");
  EXPECT_EQ(folder.run({"plan", "g.el", "--edges", "10"}).err,
            "copse: --vertices and --edges cannot be used with a GRAPH, which says how large it is\n");
}

TEST(plan, of_a_list_that_is_held_has_room_for_reading_it) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=200000,m=1000000,seed=1", "-o", "dense.el"}).exit_code, 0);
  std::ifstream edges{folder.folder() / "dense.el"};
  std::string strings;
  for (std::uint64_t u = 0, v = 0; edges >> u >> v;) strings += fmt::format("u{} u{}\n", u, v);
  folder.write("strings.el", strings);
  for (const char* graph : {"dense.el", "strings.el"}) {
    const json plan = json::parse(folder.run({"plan", graph, "--json", "--threads", "2"}).out);
    const json run = json::parse(folder.run({"components", graph, "--variant", "threads.none.fast", "--threads", "2", "--json"}).out);
    ASSERT_EQ(plan["ways"][1]["way"], "held");
    const double planned = plan["ways"][1]["bytes"], peak = run["peak_bytes"];
    EXPECT_GT(planned, 0.7 * peak) << graph;
    if (std::string_view{graph} == "dense.el") {  // of strings as many are counted as there may be
      EXPECT_LT(planned, 1.2 * peak);
    }
  }
}

TEST(plan, asks_what_fits_into_any_memory_and_says_what_it_cannot_read) {
  const workplace folder;
  folder.write("g.el", "0 1\n");
  const json plan = json::parse(folder.run({"plan", "g.el", "--memory", "20", "--json"}).out);
  EXPECT_EQ(plan["memory_bytes"], 20);
  EXPECT_EQ(plan["ways"][0]["fits"], true);
  EXPECT_EQ(plan["ways"][1]["fits"], false) << plan["ways"][1];
  const outcome missing = folder.run({"plan", "none.el"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("none.el: no such file"), std::string::npos) << missing.err;
}

TEST(plan, samples_a_large_file) {
  const workplace folder;
  std::string text;
  for (std::uint64_t i = 0; text.size() < (std::size_t{66} << 20); ++i)
    text += std::to_string(1000000 + i) + " " + std::to_string(1000007 + i) + "\n";
  const auto edges = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
  folder.write("g.el", text);
  const json plan = json::parse(folder.run({"plan", "g.el", "--json"}).out);
  EXPECT_NE(plan["sizes"].get<std::string>().find("from 16 of"), std::string::npos) << plan["sizes"];
  EXPECT_NEAR(plan["edges"].get<double>(), edges, edges / 20);
}

}  // namespace
}  // namespace copse::cli_test
