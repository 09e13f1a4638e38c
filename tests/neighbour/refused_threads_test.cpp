// Where the system gives no threads, or not so many, a solve does with fewer.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <neighbour/in_child.hpp>
#include <neighbour/known_graph.hpp>
#include <neighbour/meeting.hpp>
#include <support/sanitized.hpp>

#include <chrono>
#include <cstdint>
#include <fstream>

namespace copse::test {
namespace {

using namespace std::chrono_literals;

void limit(decltype(RLIMIT_AS) what, std::uint64_t to) {
  const rlimit both{to, to};
  if (setrlimit(what, &both) != 0) _exit(3);
}

/// The limit does not hold for root: the child becomes a user who has no other process.
void allow_no_more_threads() {
  limit(RLIMIT_NPROC, 1);
  if (getuid() == 0 && setuid(54321) != 0) _exit(3);
}

std::uint64_t bytes_of_address_space() {
  std::uint64_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(refused_threads, by_the_number_of_processes_a_solve_runs_on_its_caller) {
  const known_graph graph;
  EXPECT_TRUE(in_child([&] {
    allow_no_more_threads();
    return meeting(4, 50ms).size() == 1 && graph.solved(4) && graph.solved({}, {.threads = 4});
  }));
}

TEST(refused_threads, after_some_were_given_a_solve_runs_on_these) {
  const known_graph graph;
  EXPECT_TRUE(in_child([&] {
    if (meeting(3).size() != 3) return false;
    allow_no_more_threads();
    return meeting(8, 2s).size() == 3 && graph.solved(8) && graph.solved({}, {.threads = 8});
  }));
}

TEST(refused_threads, by_the_address_space_a_solve_does_with_fewer) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs more address space than this test leaves";
  const known_graph graph;
  EXPECT_TRUE(in_child([&] {
    limit(RLIMIT_AS, bytes_of_address_space() + (std::uint64_t{24} << 20));  // stacks of some threads, not of all
    return meeting(1000, 50ms).size() < 1000 && graph.solved(1000) && graph.solved({}, {.threads = 1000});
  }));
}

/// Numbers of 1.2 million vertices in components of 9 by threads of which the system gives none.
TEST(refused_threads, labels_are_summarised_and_written_by_the_caller) {
  buffer<std::uint32_t> held{1'200'000};
  for (std::uint32_t v = 0; v < held.size(); ++v) held[v] = v - v % 9;
  const labelling labels{std::move(held), vertex_names::identity(1'200'000)};
  const std::uint64_t sum = positions_checksum(labels, {.threads = 1});
  EXPECT_TRUE(in_child([&] {
    allow_no_more_threads();
    const execution eight{.threads = 8};
    const component_summary found = summarise(labels, 0, eight);
    io::write_labels(labels, "/dev/null", {.suffix = ".txt"}, eight);
    return found.components == 133'334 && found.largest == component{0, 9} && positions_checksum(labels, eight) == sum;
  }));
}

TEST(refused_threads, far_too_many_are_asked_for) {
  EXPECT_EQ(usable_threads(65536), most_threads);
  const known_graph graph{"path:n=1000"};
  EXPECT_TRUE(graph.solved(65536));
}

}  // namespace
}  // namespace copse::test
