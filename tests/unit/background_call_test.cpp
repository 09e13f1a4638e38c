// A call in the background ends before its object does, and its exception is rethrown.
#include <core/background_call.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace copse::test {
namespace {

TEST(background_call, runs_beside_its_caller) {
  std::atomic<bool> goes_on{false};
  background_call call{[&] { goes_on.wait(false); }};
  EXPECT_FALSE(call.has_ended());
  goes_on = true;
  goes_on.notify_all();
  call.finish();
  EXPECT_TRUE(call.has_ended());
}

TEST(background_call, ends_before_its_object_does) {
  bool has_ended = false;
  {
    const background_call call{[&] {
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
      has_ended = true;
    }};
  }
  EXPECT_TRUE(has_ended);
}

TEST(background_call, hands_over_its_exception) {
  background_call call{[] { throw std::runtime_error{"refused"}; }};
  EXPECT_THROW(call.finish(), std::runtime_error);
}

TEST(background_call, is_not_waited_for_by_a_child_which_has_no_such_thread) {
  std::atomic<bool> goes_on{false};
  auto call = std::make_unique<background_call>([&] { goes_on.wait(false); });
  const pid_t child = fork();
  if (child == 0) {
    try {
      call->finish();
    } catch (const std::logic_error&) {
      call.reset();
      _exit(77);
    }
    _exit(0);
  }
  int how = 0;
  waitpid(child, &how, 0);
  EXPECT_EQ(WEXITSTATUS(how), 77);
  goes_on = true;
  goes_on.notify_all();
}

}  // namespace
}  // namespace copse::test
