#include "program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <copse/errors.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "output.hpp"

extern char** environ;

namespace copse::cli {
namespace {

std::atomic<pid_t> running{0};  // the process group of the program that runs, 0 for none; only one runs at a time
std::atomic<bool> starting{false};

/// While an object exists, end_program() in a signal handler waits, on any thread, so that it does not miss a program that is being
/// started.
class start_section {
public:
  start_section() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
    starting = true;
  }
  start_section(const start_section&) = delete;
  start_section& operator=(const start_section&) = delete;
  ~start_section() {
    starting = false;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

private:
  sigset_t before_{};
};

// The paths of the temporary files that program_file objects name, in fixed arrays so that a signal handler can remove them. A path whose
// first character is 0 is unused.
constexpr std::size_t most_files = 16, longest_path = 4096;
std::array<std::array<char, longest_path>, most_files> paths{};
std::array<std::atomic<bool>, most_files> exists{};

/// A pipe whose write end becomes standard output and standard error of the program, and whose read end copse reads.
class output_pipe {
public:
  output_pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw resource_error{fmt::format("no more files can be opened: {}", std::strerror(errno))};
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  output_pipe(const output_pipe&) = delete;
  output_pipe& operator=(const output_pipe&) = delete;
  ~output_pipe() {
    close_writer();
    close(ends_[0]);
  }
  [[nodiscard]] int writer() const noexcept { return ends_[1]; }
  void close_writer() noexcept {
    if (ends_[1] != -1) close(ends_[1]);
    ends_[1] = -1;
  }
  enum class arrival : unsigned char { block, nothing, end };
  /// Appends a block of output if one arrives within that time. Of a long text only the end is kept.
  arrival read_into(std::string& text, int milliseconds) {
    pollfd ready{ends_[0], POLLIN, 0};
    poll(&ready, 1, milliseconds);
    std::array<char, 65536> block;
    const ssize_t count = read(ends_[0], block.data(), block.size());
    if (count <= 0) return count == 0 ? arrival::end : arrival::nothing;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > longest_text) text.erase(0, text.size() / 2);
    return arrival::block;
  }

private:
  static constexpr std::size_t longest_text = std::size_t{1} << 24;
  std::array<int, 2> ends_{-1, -1};
};

pid_t start(const std::string& command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  std::string shell = "sh", flag = "-c", text = command;
  const std::array<char*, 4> arguments{shell.data(), flag.data(), text.data(), nullptr};
  pid_t child = 0;
  const int refused = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (refused != 0) throw resource_error{fmt::format("out of processes: /bin/sh cannot be started: {}", std::strerror(refused))};
  return child;
}

/// A program that runs; it ends, with all of its process group, at the latest when the object does.
class running_program {
public:
  running_program(const std::string& command, int output) {
    const start_section section;
    child_ = start(command, output);
    running = child_;
  }
  running_program(const running_program&) = delete;
  running_program& operator=(const running_program&) = delete;
  ~running_program() { end(); }
  /// True if the program has ended. It is not reaped yet, so that the number of its process group is not reused.
  [[nodiscard]] bool has_ended() const {
    siginfo_t about{};
    if (waitid(P_PID, static_cast<id_t>(child_), &about, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != EINTR;
    return about.si_pid == child_;
  }
  /// Kills what still runs, and returns what waitpid() says of the program.
  int end() noexcept {
    if (child_ == 0) return status_;
    kill(-child_, SIGKILL);
    running = 0;  // reset before waitpid() lets the system reuse the number
    while (waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return status_;
  }

private:
  pid_t child_ = 0;
  int status_ = 0;
};

}  // namespace

finished_program run_program(const std::string& command, double limit_seconds) {
  finished_program result;
  std::signal(SIGCHLD, SIG_DFL);  // if SIGCHLD were ignored, there would be no exit status
  output_pipe pipe;
  const stopwatch watch;
  running_program program{command, pipe.writer()};
  pipe.close_writer();
  bool open = true;
  while (!program.has_ended()) {
    // The end of the pipe does not show that the program has ended: a descendant may hold the pipe open longer, and the program may close
    // it long before.
    if (open) {
      open = pipe.read_into(result.output, 10) != output_pipe::arrival::end;
    } else {
      poll(nullptr, 0, 10);
    }
    result.timed_out = watch.seconds() > limit_seconds && !program.has_ended();
    if (result.timed_out) break;
  }
  result.seconds = watch.seconds();
  const int status = program.end();
  while (open && pipe.read_into(result.output, 0) == output_pipe::arrival::block) {
  }
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

program_file::program_file(std::string_view suffix) {
  std::error_code missing;
  const auto folder = std::filesystem::temp_directory_path(missing);
  if (missing)
    throw input_error{
        fmt::format("{{graph{}}}: there is no folder for temporary files ({}): set TMPDIR to one", suffix, missing.message())};
  path_ = (folder / fmt::format("copse-bench-{}{}", getpid(), suffix)).string();
  const auto* const place = std::ranges::find_if(exists, [](const std::atomic<bool>& taken) { return !taken; });
  if (place == exists.end() || path_.size() >= longest_path)
    throw usage_error{fmt::format(
        "{}: copies of a graph for programs may be at most {}, with paths of fewer than {} bytes: set TMPDIR to a shorter path, "
        "or let fewer programs read copies",
        path_, most_files, longest_path)};
  place_ = static_cast<std::size_t>(place - exists.begin());
  std::memcpy(paths[place_].data(), path_.c_str(), path_.size() + 1);
  exists[place_] = true;
}

program_file::~program_file() {
  unlink(path_.c_str());
  exists[place_] = false;
}

void end_program() noexcept {
  while (starting) {
  }
  if (const pid_t group = running; group != 0) kill(-group, SIGKILL);
}

void remove_program_files() noexcept {
  for (std::size_t i = 0; i < most_files; ++i) {
    if (exists[i]) unlink(paths[i].data());
  }
}

}  // namespace copse::cli
