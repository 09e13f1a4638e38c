// copse stream, end to end: answers, their order and numbers, checkpoints, and a kill -9 at any moment.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <copse/cuda.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using namespace std::chrono_literals;

TEST(stream, answers_in_order_with_numbers) {
  const workplace place;
  const std::string input = "+ 1 2\n? 1 2\n? 1 3\n# a comment\n2 3\n? 1 3\n? 9 9\n? 9 8\n";
  const outcome phased = place.run({"stream", "--progress", "never"}, input);
  EXPECT_EQ(phased.exit_code, 0) << phased.err;
  EXPECT_EQ(phased.out, "1\tyes\n2\tyes\n3\tyes\n4\tyes\n5\tno\n") << "queries see their whole batch";
  EXPECT_EQ(phased.err, "copse: note: <stdin>: 1 comment line follows the first record (--comment decides what is one)\n");
  EXPECT_EQ(place.run({"stream", "--batch", "3", "--progress", "never"}, input).out, "1\tyes\n2\tno\n3\tyes\n4\tyes\n5\tno\n");
  EXPECT_EQ(place.run({"stream", "-", "--mixed", "concurrent", "--threads", "1", "--progress", "never"}, input).out,
            "1\tyes\n2\tno\n3\tyes\n4\tyes\n5\tno\n");
}

TEST(stream, tells_throughput_and_components) {
  const workplace place;
  const outcome ended = place.run({"stream", "--threads", "1"}, "+ 1 2\n+ 5 6\n? 1 1\n");
  EXPECT_TRUE(ended.err.starts_with("copse: stream: 3 records, 1 answers, 4 vertices, 2 components; ")) << ended.err;
  EXPECT_NE(ended.err.find("records/s by serial.none.fast in "), std::string::npos) << ended.err;
  const outcome always = place.run({"stream", "--threads", "1", "--batch", "1", "--progress", "always"}, "+ 1 2\n+ 5 6\n? 1 1\n");
  EXPECT_TRUE(always.err.starts_with("copse: stream: 1 records, 0 answers, 2 vertices, 1 components, ")) << always.err;
}

TEST(stream, takes_strings_sparse_ids_and_raw_pairs) {
  const workplace place;
  const outcome words = place.run({"stream", "--batch", "2", "--progress", "never", "-o", "labels.csv"},
                                  "+ bert anna\n? anna zoe\n? zoe zoe\n+ zoe bert\n? anna zoe\n");
  EXPECT_EQ(words.out, "1\tno\n2\tyes\n3\tyes\n") << words.err;
  EXPECT_EQ(place.read("labels.csv"), "id,component\nanna,anna\nbert,anna\nzoe,anna\n");
  const outcome sparse = place.run({"stream", "--progress", "never", "-o", "labels.csv"}, "+ 99999999999 7\n? 7 99999999999\n? 7 8\n");
  EXPECT_EQ(sparse.out, "1\tyes\n2\tno\n") << sparse.err;
  EXPECT_EQ(place.read("labels.csv"), "id,component\n7,7\n99999999999,7\n");
  const std::vector<std::uint32_t> pairs{3, 1, 1, 2, 8, 8};
  place.write("pairs.coo", {reinterpret_cast<const char*>(pairs.data()), 24});
  EXPECT_EQ(place.run({"stream", "pairs.coo", "--progress", "never", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(place.read("labels.csv"), "id,component\n1,1\n2,1\n3,1\n8,8\n");
}

TEST(stream, pairs_of_64_bits_under_the_name_of_32_are_refused) {
  const workplace place;
  const std::vector<std::uint64_t> pairs{3, 1, 1, 2, 8, 8};
  const std::string bytes{reinterpret_cast<const char*>(pairs.data()), 48};
  place.write("pairs.coo", bytes);
  const std::string refused = place.refusal({"stream", "pairs.coo", "-o", "labels.csv"});
  EXPECT_NE(refused.find("pairs whose second id is 0 in all of them, as pairs of 64-bit ids look"), std::string::npos) << refused;
  EXPECT_FALSE(place.has("labels.csv"));
  EXPECT_EQ(place.run({"stream", "-", "--format", "coo"}, bytes).exit_code, 2);
  EXPECT_EQ(place.run({"stream", "pairs.coo", "--format", "coo64", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(place.read("labels.csv"), "id,component\n1,1\n2,1\n3,1\n8,8\n");
}

TEST(stream, has_the_labels_of_components) {
  const workplace place;
  ASSERT_EQ(place.run({"generate", "osm:side=60,keep=.5,shuffle=1", "-o", "g.el"}).exit_code, 0);
  ASSERT_EQ(place.run({"components", "g.el", "-o", "expected.csv"}).exit_code, 0);
  for (const std::string ids : {"int", "sparse"}) {
    ASSERT_EQ(place.run({"stream", "g.el", "--ids", ids, "--batch", "100", "-o", "labels.csv"}).exit_code, 0);
    EXPECT_EQ(place.read("labels.csv"), place.read("expected.csv"));
  }
}

TEST(stream, goes_on_from_a_checkpoint) {
  const workplace place;
  place.write("whole.txt", "+ a b\n? a b\n? a c\n+ b c\n? a c\n? x a\n");
  place.write("rest.txt", "? a c\n? x a\n");
  place.write("begun.txt", "+ a b\n? a b\n? a c\n+ b c\n");
  ASSERT_EQ(place.run({"stream", "begun.txt", "--batch", "2", "--checkpoint", "cp"}).out, "1\tyes\n2\tyes\n");
  const outcome about = place.run({"stream", "--about", "cp"});
  EXPECT_EQ(about.out, "4 records, 2 answers, 3 vertices, 1 components, batches of 2\n") << about.err;
  const outcome whole = place.run({"stream", "whole.txt", "--resume", "cp", "--checkpoint", "cp2"});
  EXPECT_EQ(whole.out, "3\tyes\n4\tno\n") << whole.err;
  EXPECT_TRUE(whole.err.starts_with("copse: note: resumed after 4 records, 2 answers, 3 vertices, 1 components\n")) << whole.err;
  EXPECT_EQ(place.run({"stream", "rest.txt", "--resume", "cp", "--replay", "rest"}).out, "3\tyes\n4\tno\n");
  EXPECT_EQ(place.run({"stream", "--resume", "cp"}, place.read("rest.txt")).out, "3\tyes\n4\tno\n");
  EXPECT_EQ(place.run({"stream", "--resume", "cp", "--replay", "whole"}, place.read("whole.txt")).out, "3\tyes\n4\tno\n");
  EXPECT_EQ(place.run({"stream", "--about", "cp2"}).out, "6 records, 4 answers, 3 vertices, 1 components, batches of 2\n");
  EXPECT_EQ(place.refusal({"stream", "begun.txt", "--resume", "cp2"}),
            "begun.txt: found the end after record 4, expected record 6 and more\n");
}

TEST(stream, an_end_inside_a_batch_changes_no_answer_of_the_whole) {
  const workplace place;
  place.write("whole.txt", "+ 1 2\n? 3 4\n+ 5 3\n? 1 4\n+ 4 5\n+ 2 3\n? 1 5\n");
  place.write("begun.txt", "+ 1 2\n? 3 4\n+ 5 3\n? 1 4\n");
  const std::string answers = "1\tyes\n2\tyes\n3\tyes\n";
  ASSERT_EQ(place.run({"stream", "whole.txt", "--batch", "10"}).out, answers);
  ASSERT_EQ(place.run({"stream", "begun.txt", "--batch", "10", "--checkpoint", "cp"}).out, "1\tno\n2\tno\n");
  EXPECT_EQ(place.run({"stream", "whole.txt", "--resume", "cp"}).out, answers) << "both come again, as their batch is whole now";
  EXPECT_EQ(place.run({"stream", "--resume", "cp"}, "+ 4 5\n+ 2 3\n? 1 5\n").out, answers);
  EXPECT_EQ(place.run({"stream", "begun.txt", "--resume", "cp"}).out, "") << "nothing came";
}

TEST(stream, other_records_than_those_of_the_checkpoint_are_refused) {
  const workplace place;
  place.write("s.txt", "+ 1 2\n? 1 2\n+ 3 4\n");
  ASSERT_EQ(place.run({"stream", "s.txt", "--batch", "2", "--checkpoint", "cp"}).exit_code, 0);
  place.write("spelled.txt", "# the same\n1,2\n? 1,2\n+,3 , 4\n?,3,4\n");
  EXPECT_EQ(place.run({"stream", "spelled.txt", "--resume", "cp"}).out, "2\tyes\n");
  for (const std::string changed : {"+ 1 2\n? 1 3\n+ 3 4\n", "+ 1 2\n+ 1 2\n+ 3 4\n", "? 1 2\n+ 1 2\n+ 3 4\n", "+ 2 1\n? 1 2\n+ 3 4\n"}) {
    place.write("changed.txt", changed);
    EXPECT_EQ(place.refusal({"stream", "changed.txt", "--resume", "cp"}),
              "changed.txt: found other records before record 4 than cp was made of, expected the same stream from its start (--replay "
              "rest: what comes behind them)\n");
  }
}

TEST(stream, reads_records_as_components_reads_edges) {
  const workplace place;
  place.write("pairs.csv", "id_l,id_r,match_probability\na,b,0.9\nb,c,0.2\nNA,c,0.9\n\"d, e\",c,0.5\n");
  const std::vector<std::string> reading{"--columns", "id_l,id_r", "--weight", "match_probability", "--min-weight", "0.5", "--na", "NA"};
  std::vector<std::string> stream{"stream", "pairs.csv", "-o", "stream.csv"}, components{"components", "pairs.csv", "-o", "components.csv"};
  stream.insert(stream.end(), reading.begin(), reading.end());
  components.insert(components.end(), reading.begin(), reading.end());
  const outcome streamed = place.run(stream);
  EXPECT_EQ(streamed.exit_code, 0) << streamed.err;
  EXPECT_NE(streamed.err.find("copse: note: 1 records with a missing end were dropped\n"), std::string::npos) << streamed.err;
  EXPECT_EQ(place.run(components).exit_code, 0);
  EXPECT_EQ(place.read("stream.csv"), place.read("components.csv"));
  EXPECT_EQ(place.run({"stream", "--header", "yes", "--delimiter", ";", "--progress", "never"}, "1;2\n3;4\n? 1;2\n?;3;4\n").out,
            "1\tno\n2\tyes\n");
  EXPECT_EQ(place.run({"stream", "--progress", "never"}, "source target\n1 2\n? 1 2\n").out, "1\tyes\n");
}

TEST(stream, sparse_ids_take_no_memory_up_to_the_largest) {
  const workplace place;
  const outcome sparse =
      place.run({"stream", "--memory", "20M", "--progress", "never", "-o", "l.csv"}, "1 2\n210647824 2\n? 1 210647824\n");
  EXPECT_EQ(sparse.out, "1\tyes\n") << sparse.err;
  EXPECT_EQ(place.read("l.csv"), "id,component\n1,1\n2,1\n210647824,1\n");
  const outcome later =
      place.run({"stream", "--batch", "1", "--progress", "never", "-o", "l.csv"}, "1 2\n5000000000 2\n? 1 5000000000\n7 7\n");
  EXPECT_EQ(later.out, "1\tyes\n") << later.err;
  EXPECT_EQ(place.read("l.csv"), "id,component\n1,1\n2,1\n7,7\n5000000000,1\n");
}

TEST(stream, memory_counts_every_buffer) {
  const workplace place;
  place.write("line.txt", std::string(40000000, 'x'));
  const outcome line = place.run({"stream", "line.txt", "--memory", "20M"});
  EXPECT_EQ(line.exit_code, 3) << line.err;
  std::string many;
  for (int i = 0; i < 1000000; ++i) many.append("1 2\n");
  place.write("many.txt", many);
  EXPECT_EQ(place.run({"stream", "many.txt", "--batch", "1000000", "--memory", "10M"}).exit_code, 3);
  EXPECT_EQ(place.run({"stream", "many.txt", "--memory", "10M"}).exit_code, 0);
}

TEST(stream, is_the_same_on_a_gpu) {
  if (!copse::built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const workplace place;
  std::string records, rest;
  for (int i = 0; i < 3000; ++i) {
    const std::string record = fmt::format("{} {} {}\n", i % 3 == 0 ? '?' : '+', i * 7919 % 2000, i * 104729 % 2000);
    records += record;
    if (i >= 1500) rest += record;
  }
  const std::vector<std::string> on_gpu{"stream", "--device", "cuda", "--batch", "500"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), on_gpu.begin(), on_gpu.end());
    return more;
  };
  const outcome there = place.run(with({"-o", "there.txt"}), records);
  if (copse::gpus().empty()) {
    EXPECT_EQ(there.exit_code, 3);
    EXPECT_NE(there.err.find("found no GPU"), std::string::npos) << there.err;
    return;
  }
  const outcome here = place.run({"stream", "--batch", "500", "-o", "here.txt"}, records);
  EXPECT_EQ(there.exit_code, 0) << there.err;
  EXPECT_EQ(there.out, here.out);
  EXPECT_EQ(place.read("there.txt"), place.read("here.txt"));
  EXPECT_EQ(place.run(with({"--checkpoint", "state"}), records.substr(0, records.size() - rest.size())).exit_code, 0);
  EXPECT_EQ(place.run(with({"--resume", "state", "-o", "resumed.txt", "--variant", "cuda.none.liu_tarjan.PRF"}), rest).exit_code, 0);
  EXPECT_EQ(place.read("resumed.txt"), place.read("here.txt"));
}

void expect_refused(const outcome& ended, std::string_view text) {
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_NE(ended.err.find(text), std::string::npos) << ended.err;
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
}

TEST(stream, refuses_what_would_answer_otherwise) {
  const workplace place;
  ASSERT_EQ(place.run({"stream", "--batch", "2", "--checkpoint", "cp"}, "+ a b\n? a b\n").exit_code, 0);
  expect_refused(place.run({"stream", "--resume", "cp", "--batch", "3"}), "cp: holds a stream in batches of 2, not 3");
  expect_refused(place.run({"stream", "--resume", "cp", "--ids", "int"}), "cp: holds a stream whose ids are string, not int");
  expect_refused(place.run({"stream", "--resume", "cp", "--mixed", "concurrent"}), "cp: holds a stream whose queries are phased");
  expect_refused(place.run({"stream", "--checkpoint", "new", "--mixed", "concurrent", "--threads", "2"}), "could not give the same");
  expect_refused(place.run({"stream", "--mixed", "concurrent", "--variant", "threads.none.shiloach_vishkin"}), "insert first, then query");
  expect_refused(place.run({"stream", "--variant", "threads.none.stergiou"}), "not root-based");
  if (copse::built_with_cuda()) {
    expect_refused(place.run({"stream", "--device", "cuda", "--variant", "threads.none.fast"}), "or choose a variant of cuda");
    expect_refused(place.run({"stream", "--device", "cuda", "--weight", "3", "--forest", "forest.csv"}), "kept on the CPU");
  }
  place.write("foreign", "+ 1 2\n");
  expect_refused(place.run({"stream", "--resume", "foreign"}), "foreign: found no saved connectivity");
  const std::string good = place.read("cp");
  place.write("cut", good.substr(0, good.size() - 9));
  expect_refused(place.run({"stream", "--resume", "cut"}), "cut off");
  std::string damaged = good;
  damaged[60] = static_cast<char>(damaged[60] ^ 1);
  place.write("damaged", damaged);
  expect_refused(place.run({"stream", "--resume", "damaged"}), "damaged");
  expect_refused(place.run({"stream", "missing.txt"}), "missing.txt: no such file");
  expect_refused(place.run({"stream"}, "+ 1\n"), "<stdin>:1: found no second id");
  expect_refused(place.run({"stream", "-o", "labels.xyz"}), "labels.xyz");
  expect_refused(place.run({"stream"}, "1 2\n?1 2\n"), "<stdin>:2: found \"?1 2\", expected a delimiter behind the sign");
  expect_refused(place.run({"stream"}, "1 2\n007 2\n"), "<stdin>:2: found the id 007 with leading zeros");
  expect_refused(place.run({"stream"}, "+ a\xFF b\n"), "<stdin>:1: found \"a\\xFF\", expected a string id in UTF-8");
  expect_refused(place.run({"stream", "--ids", "int"}, "1 2\n4294967295 1\n"), "<stdin>:2: found the too large number");
  expect_refused(place.run({"stream"}, "1 2\n\x1B]0;gotcha\x07\n"), "<stdin>:2: found no second id in \"\\x1B]0;gotcha\\x07\"");
  expect_refused(place.run({"stream", "foreign", "--checkpoint", "foreign"}), "foreign: the output would overwrite the input");
  expect_refused(place.run({"stream", "foreign", "--checkpoint", "o.csv", "-o", "o.csv"}), "o.csv: two outputs have this name");
  EXPECT_EQ(place.files(), (std::vector<std::string>{"cp", "cut", "damaged", "foreign"})) << "nothing half written";
}

/// Lines `number, tab, answer`; one that was cut off by a kill is left out.
void take_answers(const std::string& text, std::map<std::uint64_t, std::string>& answers) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin), tab = text.find('\t', begin);
    if (end == std::string::npos) return;
    const std::uint64_t number = std::stoull(text.substr(begin, tab - begin));
    const std::string answer = text.substr(tab + 1, end - tab - 1);
    const auto [at, is_new] = answers.emplace(number, answer);
    ASSERT_EQ(at->second, answer) << "answer " << number << " was another one before the kill";
    begin = end + 1;
  }
}

/// Until another file has that name: then the answers that it counts must have been written.
void wait_for_checkpoint(const std::filesystem::path& file, std::chrono::microseconds patience) {
  const auto inode = [&file] {
    struct stat about {};
    return stat(file.c_str(), &about) == 0 ? about.st_ino : 0;
  };
  const auto before = inode();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (inode() == before && std::chrono::steady_clock::now() < deadline) {
  }
}

constexpr int kills_of_each = 20;  // in each of three kinds of ids

/// Is killed at random moments, and in the moment of a checkpoint, and resumed until it has seen the end; then every answer was given, and
/// always the same. Counts the runs that were resumed.
void kill_and_resume(const std::string& ids, std::uint32_t seed, int& resumed) {
  SCOPED_TRACE(ids + ", seed " + std::to_string(seed));
  const workplace place;
  std::mt19937 random{seed};
  std::string input;
  const auto name = [&] { return (ids == "string" ? "v" : "") + std::to_string(random() % 30000); };
  for (int i = 0; i < 60000; ++i) input.append(random() % 3 == 0 ? "? " : "+ ").append(name()).append(" ").append(name()).append("\n");
  place.write("stream.txt", input);
  const std::vector<std::string> call{"stream", "stream.txt", "--ids", ids, "--batch", "1000", "--threads", "2", "--progress", "never"};

  const auto start = std::chrono::steady_clock::now();
  auto to_the_end = call;
  to_the_end.insert(to_the_end.end(), {"--checkpoint", "unused", "--every", "3000"});
  const outcome undisturbed = place.run(to_the_end);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  std::map<std::uint64_t, std::string> expected, given;
  take_answers(undisturbed.out, expected);
  ASSERT_GT(expected.size(), 15000u);

  int kills = 0;
  for (bool ended = false; !ended;) {
    auto c = call;
    c.insert(c.end(), {"--checkpoint", "cp", "--every", "3000"});
    if (place.has("cp")) {
      c.insert(c.end(), {"--resume", "cp"});
      ++resumed;
    }
    const pid_t child = place.start(c, "", "answers");
    if (kills < kills_of_each) {
      if (kills % 2 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds{random() % static_cast<unsigned>(whole.count() / 2)});
      } else {
        wait_for_checkpoint(place.folder() / "cp", whole);
      }
      kill(child, SIGKILL);
      ++kills;
    }
    const outcome run = place.finish(child);
    ended = run.exit_code == 0;
    ASSERT_TRUE(ended || run.signal == SIGKILL) << run.err;
    take_answers(place.read("answers"), given);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(given, expected);
}

TEST(stream, a_kill_at_any_moment_loses_nothing_that_was_checkpointed) {
  const char* const form = std::getenv("COPSE_RELIABILITY");
  const int rounds = form != nullptr && std::string{form} == "long" ? 5 : 1;
  int resumed = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string ids : {"int", "sparse", "string"}) kill_and_resume(ids, std::random_device{}(), resumed);
  }
  EXPECT_GE(resumed, 9 * rounds) << "hardly a kill came after a checkpoint";
  std::cout << rounds * 3 * kills_of_each << " kills, " << resumed << " runs resumed\n";
}

}  // namespace
}  // namespace copse::cli_test
