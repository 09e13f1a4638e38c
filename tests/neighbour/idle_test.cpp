// Threads sleep when there is nothing to do, and small batches do not wake them.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <copse/execution.hpp>
#include <copse/incremental.hpp>
#include <neighbour/known_graph.hpp>
#include <support/sanitized.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace copse::test {
namespace {

/// Processor time of the process so far, of all threads.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST(idle_threads, use_no_processor_time_after_a_solve) {
  const known_graph graph;
  const unsigned threads = std::max(2u, usable_threads(0));  // with more, libraries that spin do not either
  double least = 1;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(graph.solved(threads));
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds{200});
    least = std::min(least, processor_seconds() - before);
  }
  EXPECT_LT(least, 1e-3 * (threads - 1));
}

/// Of inserting these edges by batches.
double processor_seconds_of_batches(const char* variant, unsigned threads, const std::vector<edge<std::uint32_t>>& edges,
                                    std::size_t batch) {
  incremental live{{.variant = variant, .vertices = 1u << 16}, {.threads = threads}};
  const double before = processor_seconds();
  for (std::size_t at = 0; at < edges.size(); at += batch) live.insert(std::span{edges.data() + at, std::min(batch, edges.size() - at)});
  return processor_seconds() - before;
}

// Wall clocks say nothing on a busy machine; to wake threads and to wait for them costs processor time as well: for batches as small as
// these at least twice what inserting them costs, so a machine that is busy with other things does not decide the comparison.
TEST(small_batches, cost_on_many_threads_about_what_they_cost_on_one) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own work is most of the processor time";
  std::mt19937 random{7};
  std::vector<edge<std::uint32_t>> edges(8'000'000);
  for (auto& e : edges) e = {static_cast<std::uint32_t>(random() >> 16), static_cast<std::uint32_t>(random() >> 16)};
  constexpr std::size_t batch = 200;
  for (const char* const variant : {"auto", "threads.none.rem_cas.naive.halve_one"}) {
    double one = std::numeric_limits<double>::infinity(), many = one;
    for (int i = 0; i < 5; ++i) {
      one = std::min(one, processor_seconds_of_batches(variant, 1, edges, batch));
      many = std::min(many, processor_seconds_of_batches(variant, 4, edges, batch));
    }
    EXPECT_LT(many, 2 * one) << variant;
  }
}

}  // namespace
}  // namespace copse::test
