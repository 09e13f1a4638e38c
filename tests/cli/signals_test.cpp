// A killed copse leaves no temporary file, and dies of the signal.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using namespace std::chrono_literals;

/// Bytes of the largest file of the folder that is not called `but`.
std::uintmax_t largest_file(const workplace& place, const std::string& but) {
  std::uintmax_t largest = 0;
  for (const std::string& name : place.files()) {
    std::error_code gone;
    const auto bytes = std::filesystem::file_size(place.folder() / name, gone);
    if (!gone && name != but) largest = std::max(largest, bytes);
  }
  return largest;
}

/// Does the process see that file as memory, or has it ended?
bool has_mapped(pid_t process, const std::string& name) {
  std::ifstream maps{"/proc/" + std::to_string(process) + "/maps"};
  std::string line, first;
  while (std::getline(maps, line)) {
    if (line.ends_with("/" + name)) return true;
    first = line;
  }
  return first.empty();
}

/// Starts to write 300 MB, and sends signals once some of it is there.
outcome killed_while_writing(const workplace& place, const std::vector<int>& burst) {
  const pid_t child = place.start({"generate", "path:n=20000000", "-o", "path.el"});
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (largest_file(place, "path.el") < 1000000 && !place.has("path.el") && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(200us);
  }
  EXPECT_FALSE(place.has("path.el")) << "it wrote faster than it could be killed";
  for (const int signal : burst) kill(child, signal);
  return place.finish(child);
}

TEST(signals, a_kill_while_writing_leaves_nothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGALRM, SIGXCPU}) {
    const workplace place;
    const outcome ended = killed_while_writing(place, {signal});
    EXPECT_EQ(ended.signal, signal);
    EXPECT_EQ(ended.err, "");
    EXPECT_EQ(place.files(), std::vector<std::string>{}) << signal;
  }
}

TEST(signals, a_burst_of_them_leaves_nothing) {
  std::vector<int> mixed;
  for (int i = 0; i < 25; ++i) mixed.insert(mixed.end(), {SIGINT, SIGTERM, SIGQUIT, SIGHUP});
  for (const std::vector<int>& burst : {std::vector<int>(100, SIGINT), std::vector<int>(100, SIGTERM), std::vector<int>(100, SIGQUIT),
                                        std::vector<int>{SIGINT, SIGTERM}, mixed}) {
    for (int trial = 0; trial < 4; ++trial) {
      const workplace place;
      const outcome ended = killed_while_writing(place, burst);
      EXPECT_NE(std::ranges::count(burst, ended.signal), 0) << ended.signal;
      EXPECT_EQ(place.files(), std::vector<std::string>{}) << burst.front();
    }
  }
}

TEST(signals, a_file_that_is_cut_off_while_it_is_read_is_refused) {
  const workplace place;
  ASSERT_EQ(place.run({"generate", "path:n=4000000", "-o", "path.el"}).exit_code, 0);
  const std::string whole = place.read("path.el");
  outcome ended;
  for (int tried = 0; tried < 20 && ended.exit_code != 2; ++tried) {  // it may be read before it is cut
    place.write("cut.el", whole);
    const pid_t child = place.start({"components", "cut.el", "--threads", "1", "-o", "labels.txt"});
    while (!has_mapped(child, "cut.el")) std::this_thread::sleep_for(200us);
    std::filesystem::resize_file(place.folder() / "cut.el", 4096);
    ended = place.finish(child);
    ASSERT_EQ(ended.signal, 0) << ended.err;
  }
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.err, "cut.el: the file was cut off while it was read\n");
  for (const std::string& name : place.files()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST(progress, is_silent_unless_asked_when_stderr_is_no_terminal) {
  const workplace place;
  place.write("graph.el", "0 1\n");
  EXPECT_EQ(place.run({"components", "graph.el"}).err, "");
  EXPECT_EQ(place.run({"components", "graph.el", "--progress", "never"}).err, "");
}

TEST(progress, tells_its_share_when_asked) {
  const workplace place;
  const outcome ended = place.run({"generate", "path:n=3000", "-o", "path.el", "--progress", "always"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(ended.err.starts_with("copse: write [                        ] 0 %  0 ")) << ended.err;
}

/// Some megabytes a second come out of a pipe.
TEST(progress, tells_the_rate_of_what_came_in) {
  const workplace place;
  const std::string pipe = (place.folder() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t started = place.start({"components", "pipe", "--format", "edges", "--progress", "always"});
  std::string lines;
  while (lines.size() < 1200000) lines += "12345 67890\n";
  {
    std::ofstream to{pipe};
    for (int part = 0; part < 3; ++part) {
      to << lines << std::flush;
      std::this_thread::sleep_for(700ms);
    }
  }
  const outcome ended = place.finish(started);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  double rate = 0;  // in the last line that says one
  const std::regex line{R"(read [0-9.]+ [kM]?B, ([0-9.]+) (k|M)B a second)"};
  for (std::sregex_iterator found{ended.err.begin(), ended.err.end(), line}, none; found != none; ++found) {
    rate = std::stod((*found)[1]) * ((*found)[2] == "M" ? 1e6 : 1e3);
  }
  EXPECT_GT(rate, 0.1e6) << ended.err;
  EXPECT_LT(rate, 10e6) << ended.err;
}

}  // namespace
}  // namespace copse::cli_test
