#include "run_copse.hpp"

#include "support/real_graphs.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace copse::cli_test {
namespace {

constexpr const char* in_name = ".harness.in";
constexpr const char* out_name = ".harness.out";
constexpr const char* err_name = ".harness.err";

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace

void workplace::write(const std::string& name, std::string_view content) const {
  std::ofstream file{folder_ / name, std::ios::binary};
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error{"cannot write " + name};
}

std::string workplace::read(const std::string& name) const { return content_of(folder_ / name); }

std::vector<std::string> workplace::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{folder_.path()}) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(".harness.")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

pid_t workplace::start(const std::vector<std::string>& arguments, std::string_view input, const std::string& stdout_path) const {
  write(in_name, input);
  std::vector<std::string> words{COPSE_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const std::string out_path = stdout_path.empty() ? out_name : stdout_path;
  constexpr int create = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder_.path().c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in_name, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_path.c_str(), create, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_name, create, 0600);
  pid_t child = 0;
  const int problem = posix_spawn(&child, COPSE_BINARY, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw std::system_error{problem, std::generic_category(), COPSE_BINARY};
  return child;
}

outcome workplace::finish(pid_t started) const {
  int status = 0;
  while (waitpid(started, &status, 0) == -1) {
    if (errno != EINTR) throw std::system_error{errno, std::generic_category(), "waitpid"};
  }
  outcome result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = content_of(folder_ / out_name);
  result.err = content_of(folder_ / err_name);
  return result;
}

std::string workplace::output(const std::vector<std::string>& arguments, std::string_view input) const {
  const outcome ended = run(arguments, input);
  EXPECT_EQ(ended.exit_code, 0) << ::testing::PrintToString(arguments) << ": " << ended.err;
  return ended.out;
}

std::string workplace::refusal(const std::vector<std::string>& arguments, std::string_view input) const {
  const outcome ended = run(arguments, input);
  EXPECT_EQ(ended.exit_code, 2) << ::testing::PrintToString(arguments) << ": " << ended.err;
  EXPECT_EQ(ended.out, "") << ::testing::PrintToString(arguments);
  return ended.err;
}

outcome workplace::run(const std::vector<std::string>& arguments, std::string_view input, const std::string& stdout_path) const {
  return finish(start(arguments, input, stdout_path));
}

std::filesystem::path real_graphs() {
  const std::filesystem::path folder = testing::real_graphs_folder(COPSE_ROOT);
  return std::filesystem::is_directory(folder) ? std::filesystem::canonical(folder) : std::filesystem::path{};
}

}  // namespace copse::cli_test
