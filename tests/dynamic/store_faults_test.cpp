// Graphs in folders when things go wrong: processes that are killed, bytes that are damaged, disks that are full.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include "dynamic/stored.hpp"
#include "support/sanitized.hpp"
#include "support/sweep_length.hpp"
#include "support/temporary_folder.hpp"

namespace copse::test {
namespace {

using sparse = basic_dynamic<std::uint64_t>;
constexpr dynamic_options kept{.weights = true, .history = 3};

struct writing_process {
  pid_t process;
  int acknowledged;  // a pipe from which the numbers of the batches can be read whose calls have returned
};

/// Starts a process that writes batches to the graph that open() returns until it is killed. If that fails, `process` is negative.
template <class Open, class WriteBatch>
writing_process started_writer(Open open, WriteBatch write_batch) {
  int ends[2];
  if (pipe(ends) != 0) return {-1, -1};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    auto graph = open();
    for (;;) {
      write_batch(graph);
      const std::uint64_t last = graph.last_batch();
      if (write(ends[1], &last, sizeof last) != sizeof last) _exit(1);
    }
  }
  close(ends[1]);
  return {child, ends[0]};
}

TEST(dynamic_store_faults, no_committed_batch_is_lost_when_a_writer_is_killed) {
  NEEDS_STORE;
  std::mt19937 random{42};
  const temporary_folder folder;
  std::uint64_t begun = 0;
  sparse twin{kept};
  for (int round = 0; round < (quick() ? 5 : all_graphs() ? 600 : 25); ++round) {
    const auto [child, acknowledged] = started_writer([&] { return sparse::open(folder / "g", kept); },
                                                      [](sparse& graph) {
                                                        graph.apply(numbered_batch(7, graph.last_batch() + 1));
                                                        if (graph.last_batch() % 8 == 0) graph.compact();
                                                      });
    ASSERT_GE(child, 0);
    // The first writer may be killed while it makes the graph; the second one has written a batch, however slow the disk is.
    pollfd written{.fd = acknowledged, .events = POLLIN, .revents = 0};
    if (begun == 0 && round != 0) {
      ASSERT_EQ(poll(&written, 1, 60'000), 1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds{random() % 30000});
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::uint64_t last = begun;
    while (read(acknowledged, &last, sizeof last) == sizeof last) {
    }
    close(acknowledged);
    const sparse graph = sparse::open(folder / "g", kept);
    ASSERT_GE(graph.last_batch(), last);
    ASSERT_LE(graph.last_batch(), last + 1) << "a batch is written in its own call";
    while (twin.last_batch() < graph.last_batch()) twin.apply(numbered_batch(7, twin.last_batch() + 1));
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin)) << "round " << round;
    begun = graph.last_batch();
  }
  EXPECT_GT(begun, 0u);
}

TEST(dynamic_store_faults, a_writer_may_be_killed_while_a_state_is_written_beside_it) {
  NEEDS_STORE;
  if (sanitized) GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads";
  constexpr std::uint64_t batch_edges = 20'000;
  const auto batch = [](std::uint64_t number) {
    std::mt19937 random{static_cast<std::uint32_t>(number)};
    std::vector<dynamic_edge<std::uint32_t>> edges(batch_edges);
    for (auto& edge : edges)
      edge = {.u = static_cast<std::uint32_t>(random() % 100'000), .v = static_cast<std::uint32_t>(random() % 100'000)};
    return edges;
  };
  std::mt19937 random{43};
  const temporary_folder folder;
  dynamic twin;
  std::uint64_t begun = 0;
  for (int round = 0; round < (quick() ? 3 : all_graphs() ? 100 : 8); ++round) {
    const auto [child, acknowledged] =
        started_writer([&] { return dynamic::open(folder / "g"); }, [&](dynamic& graph) { graph.insert(batch(graph.last_batch() + 1)); });
    ASSERT_GE(child, 0);
    std::uint64_t last = begun, wanted = begun + 3 + random() % 20;  // a state is due about every 10 batches
    while (last < wanted && read(acknowledged, &last, sizeof last) == sizeof last) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds{random() % 10'000});
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(acknowledged, &last, sizeof last) == sizeof last) {
    }
    close(acknowledged);
    ASSERT_GE(last, wanted);
    const dynamic graph = dynamic::open(folder / "g");
    ASSERT_GE(graph.last_batch(), last);
    ASSERT_LE(graph.last_batch(), last + 1);
    while (twin.last_batch() < graph.last_batch()) twin.insert(batch(twin.last_batch() + 1));
    ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin)) << "round " << round;
    begun = graph.last_batch();
  }
}

TEST(dynamic_store_faults, a_damaged_byte_is_found_or_does_not_matter) {
  NEEDS_STORE;
  const temporary_folder folder;
  sparse twin{kept};
  {
    sparse graph = sparse::open(folder / "g", kept);
    for (std::uint64_t batch = 1; batch <= 4; ++batch) {
      graph.apply(numbered_batch(3, batch));
      twin.apply(numbered_batch(3, batch));
    }
  }
  const std::filesystem::path file = folder / "g/batches.sqlite";
  const std::string whole = bytes_of_file(file);
  ASSERT_GT(whole.size(), 4096u);
  damage_outcomes outcomes;
  ASSERT_NO_FATAL_FAILURE(damage_bytes(file, 13, 61, twin, "", outcomes));
  EXPECT_GT(outcomes.refused, 0u);
  EXPECT_GT(outcomes.harmless, 0u);
  // A damaged batch is refused with its number, and what is before can be read.
  const auto third = numbered_batch(3, 3);
  std::string record;
  for (const std::size_t i : {0, 1}) record.append(reinterpret_cast<const char*>(&third[i].edge.u), sizeof third[i].edge.u);
  std::string damaged = whole;
  const std::size_t at = damaged.find(record);
  ASSERT_NE(at, std::string::npos);
  damaged[at] = static_cast<char>(damaged[at] ^ 1);
  std::ofstream{file, std::ios::binary} << damaged;
  try {
    static_cast<void>(sparse::open(folder / "g"));
    ADD_FAILURE() << "damage is found";
  } catch (const input_error& failure) {
    EXPECT_NE(std::string_view{failure.what()}.find("batch 3"), std::string_view::npos) << failure.what();
  }
  EXPECT_EQ(sparse::open(folder / "g", {}, {.read_only = true, .until = 2}).last_batch(), 2u);
}

TEST(dynamic_store_faults, a_full_disk_refuses_the_batch_and_keeps_the_rest) {
  NEEDS_STORE;
  const temporary_folder folder;
  sparse twin{kept}, graph = sparse::open(folder / "g", kept);
  graph.apply(numbered_batch(5, 1));
  twin.apply(numbered_batch(5, 1));
  std::vector<dynamic_edge<std::uint64_t>> large(200'000);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = {.u = i, .v = i + 1};
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 1 << 20;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  bool was_refused = false;
  try {
    graph.insert(large);
  } catch (const uncommitted_batch&) {
    was_refused = true;
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(was_refused);
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin));
  graph.apply(numbered_batch(5, 2));
  twin.apply(numbered_batch(5, 2));
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(graph, twin));
  ASSERT_NO_FATAL_FAILURE(expect_same_graph(sparse::open(folder / "g", {}, {.read_only = true}), twin));
}

}  // namespace
}  // namespace copse::test
