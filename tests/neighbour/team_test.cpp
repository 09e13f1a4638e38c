// The pool of threads itself: every number once, whoever runs it; nesting; exceptions; the same threads again.
#include <gtest/gtest.h>
#include <copse/execution.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>
#include <neighbour/in_child.hpp>
#include <neighbour/meeting.hpp>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace copse::test {
namespace {

TEST(team, every_number_is_called_once_and_the_caller_is_number_0) {
  const auto caller = std::this_thread::get_id();
  for (const unsigned threads : {1u, 2u, 7u, 100u}) {
    std::vector<std::atomic<int>> calls(threads);
    std::atomic<bool> caller_is_0{false};
    on_workers(threads, [&](unsigned number) {
      ++calls.at(number);
      EXPECT_EQ(worker_number(), number);
      if (number == 0) caller_is_0 = std::this_thread::get_id() == caller;
    });
    for (const auto& c : calls) EXPECT_EQ(c, 1);
    EXPECT_TRUE(caller_is_0);
    EXPECT_EQ(worker_number(), 0u);
  }
}

TEST(team, more_workers_than_the_most_threads_are_all_called) {
  EXPECT_TRUE(in_child([] {  // the threads go with it
    std::atomic<unsigned> calls{0};
    on_workers(most_threads + 3, [&](unsigned) { ++calls; });
    return calls == most_threads + 3;
  }));
}

TEST(team, workers_run_at_the_same_time_and_are_the_same_threads_again) {
  const auto before = meeting(6);
  EXPECT_EQ(before.size(), 6u);
  meeting(3);
  EXPECT_EQ(meeting(6), before);
}

TEST(team, loops_in_loops_call_every_number_and_the_outer_number_comes_back) {
  std::atomic<int> calls{0};
  on_workers(3, [&](unsigned outer) {
    on_workers(4, [&](unsigned inner) {
      EXPECT_EQ(worker_number(), inner);
      on_workers(1, [&](unsigned) { EXPECT_EQ(worker_number(), 0u); });
      ++calls;
    });
    EXPECT_EQ(worker_number(), outer);
  });
  EXPECT_EQ(calls, 12);
}

TEST(team, a_loop_inside_one_of_two_workers_still_gets_its_threads) {
  std::size_t met = 0;
  on_workers(2, [&](unsigned number) {
    if (number == 0) met = meeting(5).size();
  });
  EXPECT_EQ(met, 5u);
}

TEST(team, the_first_exception_of_any_worker_comes_out_and_the_pool_goes_on) {
  for (const unsigned thrower : {0u, 1u, 4u}) {
    EXPECT_THROW(on_workers(5,
                            [&](unsigned number) {
                              if (number == thrower) throw std::out_of_range{"thrown"};
                            }),
                 std::out_of_range);
  }
  EXPECT_THROW(on_workers(5, [](unsigned) { throw std::runtime_error{"all"}; }), std::runtime_error);
  EXPECT_EQ(meeting(5).size(), 5u);
}

TEST(team, no_block_is_started_after_an_exception) {
  std::atomic<int> blocks{0};
  const auto fail = [&](std::size_t, std::size_t) {
    ++blocks;
    throw std::runtime_error{"thrown"};
  };
  EXPECT_THROW(parallel_blocks(4, 1'000'000, 1, fail), std::runtime_error);
  EXPECT_LE(blocks, 4);
}

TEST(team, many_short_loops_of_many_callers_lose_nothing) {
  constexpr unsigned callers = 4, loops = 2000;
  std::atomic<std::uint64_t> sum{0};
  std::vector<std::jthread> crew;
  for (unsigned c = 0; c < callers; ++c) {
    crew.emplace_back([&sum, c] {
      for (unsigned k = 0; k < loops; ++k) {
        std::uint64_t parts[4] = {};
        on_workers(1 + (k + c) % 4, [&](unsigned number) { parts[number] = number + 1; });  // seen without atomics: the loop has ended
        sum += parts[0] + parts[1] + parts[2] + parts[3];
        if (k % 64 == c) std::this_thread::sleep_for(std::chrono::microseconds{200});  // others fall asleep
      }
    });
  }
  crew.clear();
  EXPECT_EQ(sum, callers * (loops / 4) * (1 + 3 + 6 + 10));
}

}  // namespace
}  // namespace copse::test
