// Runs a check in a child process, which may not take longer than half a minute.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace copse::test {

/// Did `check` return true in a child? A child that hangs ends by SIGALRM.
inline ::testing::AssertionResult in_child(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    bool good = false;
    try {
      good = check();
    } catch (...) {
      _exit(2);
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return ::testing::AssertionFailure() << "no child";
  if (WIFSIGNALED(status)) return ::testing::AssertionFailure() << "the child ended by signal " << WTERMSIG(status);
  if (WEXITSTATUS(status) == 2) return ::testing::AssertionFailure() << "an exception left the child";
  return WEXITSTATUS(status) == 0 ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << "found false in the child";
}

}  // namespace copse::test
