// copse stream --state: edges arrive and leave in a folder, and each run goes on where the last one stopped.
#include <gtest/gtest.h>

#include <copse/dynamic.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/run_copse.hpp"

namespace copse::cli_test {
namespace {

#define NEEDS_STORE \
  if (!has_dynamic_store()) GTEST_SKIP() << "libsqlite3 is not on this machine"

TEST(stream_state, edges_leave_and_the_next_run_goes_on) {
  NEEDS_STORE;
  const workplace place;
  place.write("day1.txt", "+ ann anna\n+ bob bobby\n+ anna bob\n? ann bobby\n");
  place.write("day2.txt", "- anna bob\n? ann bobby\n? bob bobby\n");
  const outcome first = place.run({"stream", "day1.txt", "--state", "people", "--events", "events.csv"});
  EXPECT_EQ(first.out, "1\tyes\n") << first.err;
  const outcome second = place.run({"stream", "day2.txt", "--state", "people", "--replay", "rest", "--events", "events.csv"});
  EXPECT_EQ(second.out, "2\tno\n3\tyes\n") << second.err;
  EXPECT_NE(second.err.find("goes on after 4 records, 1 answers, 4 vertices, 1 components"), std::string::npos) << second.err;
  EXPECT_EQ(place.read("events.csv"), "batch,event,from,into,vertices\n1,created,,0,4\n2,created,,1,2\n2,split,0,1,2\n");
}

TEST(stream_state, answers_grow_in_a_file) {
  NEEDS_STORE;
  const workplace place;
  EXPECT_EQ(place.run({"stream", "--state", "g", "--answers", "a.txt"}, "+ 1 2\n? 1 2\n").out, "");
  EXPECT_EQ(place.run({"stream", "--state", "g", "--answers", "a.txt"}, "? 1 3\n- 2 1\n? 1 2\n").exit_code, 0);
  EXPECT_EQ(place.read("a.txt"), "1\tyes\n2\tno\n3\tno\n");
  place.write("a.txt", "1\tyes\n");
  EXPECT_NE(place.refusal({"stream", "--state", "g", "--answers", "a.txt"}, "+ 1 2\n").find("a.txt: found 6 bytes"), std::string::npos);
  place.write("full.txt", "something\n");
  EXPECT_NE(place.refusal({"stream", "--state", "new", "--answers", "full.txt"}, "+ 1 2\n").find("need new files"), std::string::npos);
}

TEST(stream_state, a_minus_before_a_digit_needs_a_sign_and_one_before_a_blank_is_one) {
  NEEDS_STORE;
  const workplace place;
  EXPECT_EQ(place.run({"stream", "--state", "g"}, "+ -5 7\n? -5 7\n- -5 7\n? -5 -5\n").out, "1\tno\n2\tyes\n");
  EXPECT_EQ(place.run({"stream", "--state", "h"}, "+ -5 7\n? -5 7\n").out, "1\tyes\n");
  EXPECT_NE(place.refusal({"stream", "--state", "g"}, "-5 7\n").find("such as + -5 7"), std::string::npos);
  EXPECT_NE(place.refusal({"stream", "--state", "s"}, "+ a b\n-x b\n").find("a delimiter behind the sign"), std::string::npos);
  EXPECT_EQ(place.run({"stream", "--state", "t", "--batch", "2"}, "+,-x,b\n?,b,-x\n-,-x,b\n?,b,-x\n").out, "1\tyes\n2\tno\n");
  EXPECT_NE(place.refusal({"stream"}, "+ 1 2\n- 1 2\n").find("found"), std::string::npos) << "only folders take erases";
}

TEST(stream_state, of_a_file_all_records_come_again_and_are_passed_over) {
  NEEDS_STORE;
  const workplace place;
  place.write("begun.txt", "+ a b\n? a b\n- a b\n");
  place.write("whole.txt", "+ a b\n? a b\n- a b\n? a b\n+ c a\n? b c\n");
  EXPECT_EQ(place.run({"stream", "begun.txt", "--state", "g", "--batch", "2"}).out, "1\tyes\n");
  EXPECT_EQ(place.run({"stream", "whole.txt", "--state", "g"}).out, "2\tno\n3\tno\n");
  EXPECT_EQ(place.run({"stream", "whole.txt", "--state", "g"}).out, "");
  EXPECT_NE(place.refusal({"stream", "begun.txt", "--state", "g"}).find("the end after record 3"), std::string::npos);
  place.write("other.txt", "+ a b\n? a b\n+ a b\n? a b\n+ c a\n? b c\n+ x y\n");
  EXPECT_NE(place.refusal({"stream", "other.txt", "--state", "g"}).find("other records before record 7"), std::string::npos);
}

TEST(stream_state, weights_are_kept_and_python_and_cpp_open_the_folder) {
  NEEDS_STORE;
  const workplace place;
  EXPECT_EQ(place.run({"stream", "--state", "g", "--weight", "3", "--history", "7"}, "+ 1 2 .5\n+ 2 3 .25\n? 1 3\n").out, "1\tyes\n");
  const auto facts = dynamic_facts_of(place.folder() / "g");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->ids, dynamic_id_kind::signed_integers);
  EXPECT_EQ(facts->options.history, 7u);
  EXPECT_TRUE(facts->remark.starts_with("integers\nstream 3 1 ")) << facts->remark;
  const auto graph = basic_dynamic<std::int64_t>::open(place.folder() / "g", {}, {.read_only = true});
  std::map<std::int64_t, double> weights;
  for (const auto& edge : graph.edges()) weights[edge.u] = edge.weight;
  EXPECT_EQ(weights, (std::map<std::int64_t, double>{{1, .5}, {2, .25}}));
  EXPECT_NE(place.refusal({"stream", "--state", "g"}, "+ 1 2\n").find("give --weight"), std::string::npos);
  EXPECT_NE(place.refusal({"stream", "--state", "g", "--weight", "3", "--history", "8"}, "+ 1 2 1\n").find("made with 7"),
            std::string::npos);
}

TEST(stream_state, what_does_not_go_with_it_is_refused) {
  NEEDS_STORE;
  const workplace place;
  for (const char* option : {"--checkpoint", "--resume", "--about", "--forest"})
    EXPECT_NE(place.refusal({"stream", "--state", "g", option, "x.csv", "--weight", "3"}, "+ 1 2 3\n").find("cannot be used with --state"),
              std::string::npos)
        << option;
  EXPECT_NE(place.refusal({"stream", "--answers", "x"}, "+ 1 2\n").find("--answers needs --state DIR"), std::string::npos);
  EXPECT_NE(place.refusal({"stream", "--state", "g"}, "").find("no records"), std::string::npos);
  EXPECT_FALSE(place.has("g"));
  ASSERT_EQ(place.run({"stream", "--state", "g"}, "+ 1 2\n").exit_code, 0);
  EXPECT_NE(place.refusal({"stream", "--state", "g"}, "+ 18446744073709551615 2\n").find("above 9223372036854775807"), std::string::npos);
  const auto writer = basic_dynamic<std::int64_t>::open(place.folder() / "g");
  EXPECT_NE(place.refusal({"stream", "--state", "g"}, "+ 1 2\n").find("process"), std::string::npos);
}

/// What the records say, in batches, by the definition.
struct expected_run {
  std::string answers;
  std::set<std::pair<int, int>> edges;
};
expected_run expected_of(const std::string& text, std::size_t batch) {
  expected_run run;
  std::istringstream in{text};
  std::size_t number = 0;
  std::vector<std::pair<int, int>> queries;
  const auto close = [&] {
    for (const auto& [a, b] : queries) {
      std::set<int> seen{a};
      for (std::size_t before = 0; before != seen.size();) {
        before = seen.size();
        for (const auto& [u, v] : run.edges)
          if (seen.contains(u) || seen.contains(v)) seen.insert({u, v});
      }
      run.answers += std::to_string(++number) + (seen.contains(b) ? "\tyes\n" : "\tno\n");
    }
    queries.clear();
  };
  char sign;
  int u, v;
  for (std::size_t records = 0; in >> sign >> u >> v;) {
    if (sign == '+') run.edges.insert(std::minmax(u, v));
    if (sign == '-') run.edges.erase(std::minmax(u, v));
    if (sign == '?') queries.emplace_back(u, v);
    if (++records % batch == 0) close();
  }
  close();
  return run;
}

TEST(stream_state, a_run_that_is_killed_is_taken_up_exactly) {
  NEEDS_STORE;
  std::mt19937 random{3};
  std::string text;
  for (int i = 0; i < 6000; ++i) {
    const char sign = "++++--?"[random() % 7];
    text += sign;
    text += " " + std::to_string(random() % 60) + " " + std::to_string(random() % 60) + "\n";
  }
  const expected_run expected = expected_of(text, 20);
  const workplace place;
  place.write("s.txt", text);
  const std::vector<std::string> command{"stream", "s.txt", "--state", "g", "--batch", "20", "--answers", "a.txt", "--events", "e.csv"};
  for (int round = 0; round < 8; ++round) {
    const pid_t child = place.start(command);
    std::this_thread::sleep_for(std::chrono::milliseconds{30 + random() % 150});
    kill(child, SIGKILL);
    static_cast<void>(place.finish(child));
  }
  const outcome last = place.run(command);
  EXPECT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(place.read("a.txt"), expected.answers);
  // Every id begins once and ends once at most, and those in use are those of the graph.
  std::istringstream events{place.read("e.csv")};
  std::set<std::string> live, ever;
  std::string line;
  std::getline(events, line);
  while (std::getline(events, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    ASSERT_EQ(fields.size(), 5u) << line;
    if (fields[1] == "created") {
      ASSERT_TRUE(live.insert(fields[3]).second && ever.insert(fields[3]).second) << line;
    } else if (fields[1] == "merged" || fields[1] == "vanished") {
      ASSERT_EQ(live.erase(fields[2]), 1u) << line;
    }
  }
  const auto graph = basic_dynamic<std::int64_t>::open(place.folder() / "g", {}, {.read_only = true});
  EXPECT_EQ(live.size(), graph.count());
  EXPECT_EQ(graph.edge_count(), expected.edges.size());
}

}  // namespace
}  // namespace copse::cli_test
