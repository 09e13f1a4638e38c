// Who calls, and from where: several threads at once, threads of OpenMP, observers that throw.
#include <gtest/gtest.h>
#include <neighbour/known_graph.hpp>
#include <neighbour/meeting.hpp>
#include <support/sanitized.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace copse::test {
namespace {

TEST(callers, two_threads_solve_at_once) {
  const known_graph one, two{"grid2d:side=200,shuffle=1"};
  std::atomic<int> wrong{0};
  std::vector<std::jthread> crew;
  for (const known_graph* graph : {&one, &two}) {
    crew.emplace_back([&wrong, graph] {
      for (int i = 0; i < 20; ++i) {
        if (!graph->solved(4) || !graph->solved({}, {.threads = 4})) ++wrong;
      }
    });
  }
  crew.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(callers, an_observer_that_throws_is_heard_by_the_caller) {
  class throwing final : public observer {
  public:
    void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override { throw std::domain_error{"enough"}; }
  } watcher;
  const known_graph graph;
  for (const std::string variant :
       {"auto", "threads.kout.afforest", "threads.none.ecl.halve", "threads.none.label_propagation", "serial.none.rem"}) {
    EXPECT_THROW(static_cast<void>(graph.solved({.variant = variant}, {.threads = 4, .observer = &watcher})), std::domain_error) << variant;
    EXPECT_TRUE(graph.solved({.variant = variant}, {.threads = 4})) << variant;
  }
}

TEST(callers, a_solve_inside_a_parallel_region_of_openmp) {
  if (sanitized) GTEST_SKIP() << "a runtime of OpenMP that is not instrumented hides what its regions order";
  const known_graph graph;
  ASSERT_TRUE(graph.solved(4));
  std::atomic<int> right{0};
#pragma omp parallel for num_threads(3) schedule(static, 1)
  for (int i = 0; i < 12; ++i) {
    if (graph.solved(4)) ++right;
  }
  EXPECT_EQ(right, 12);
  EXPECT_EQ(meeting(4).size(), 4u);
}

}  // namespace
}  // namespace copse::test
