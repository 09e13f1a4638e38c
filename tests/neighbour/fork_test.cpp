// A child process may solve with many threads, whatever its parent was doing when it forked.
#include <gtest/gtest.h>
#include <neighbour/in_child.hpp>
#include <neighbour/known_graph.hpp>
#include <neighbour/meeting.hpp>

#include <atomic>
#include <thread>

// ThreadSanitizer gives up where a child of many threads starts threads of its own, unless told to go on.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace copse::test {
namespace {

TEST(fork_after_a_solve, the_child_solves_with_many_threads) {
  const known_graph graph;
  ASSERT_TRUE(graph.solved(4));
  EXPECT_TRUE(in_child([&] { return graph.solved(4) && graph.solved({}, {.threads = 3}) && meeting(4).size() == 4; }));
  EXPECT_TRUE(graph.solved(4));
}

TEST(fork_after_a_solve, the_child_of_a_child_too) {
  const known_graph graph;
  ASSERT_TRUE(graph.solved(3));
  EXPECT_TRUE(in_child([&] { return graph.solved(3) && in_child([&] { return graph.solved(3) && meeting(3).size() == 3; }); }));
}

TEST(fork_during_a_solve, of_another_thread_the_child_solves) {
  const known_graph graph;
  std::atomic<bool> stop{false};
  bool right = true;
  std::jthread other{[&] {
    while (!stop) right = right && graph.solved(4);
  }};
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(in_child([] { return meeting(4).size() == 4; }));
  stop = true;
  other.join();
  EXPECT_TRUE(right);
}

}  // namespace
}  // namespace copse::test
