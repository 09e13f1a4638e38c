// Power that fails at any write: what was not synchronised is lost, and nothing that was committed.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <vector>

#include "dynamic/dropping_files.hpp"
#include "dynamic/stored.hpp"
#include "support/sweep_length.hpp"
#include "support/temporary_folder.hpp"

/// Takes the place of that of the system in this program.
extern "C" int fsync(int descriptor) {
  struct stat about {};
  if (fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) copse::test::dropping_files::folder_synchronised();
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace copse::test {
namespace {

using sparse = basic_dynamic<std::uint64_t>;
constexpr dynamic_options kept{.weights = true, .history = 3};

/// Writes batches of the graph of `seed` until the power fails. Returns the last batch whose call returned.
std::uint64_t last_before_the_power_fails(const std::filesystem::path& folder, durability durable, std::uint64_t writes, unsigned seed) {
  int acknowledged[2];
  if (pipe(acknowledged) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    close(acknowledged[0]);
    dropping_files::install(writes, seed);
    sparse graph = sparse::open(folder, kept, {.durable = durable});
    for (;;) {
      const std::uint64_t next = graph.last_batch() + 1;
      if (next % 11 == 0) {
        graph.purge_vertices(std::vector<std::uint64_t>{numbered_batch(7, next).front().edge.u});
      } else {
        graph.apply(numbered_batch(7, next));
      }
      if (next % 5 == 0) graph.compact();
      const std::uint64_t last = graph.last_batch();
      if (write(acknowledged[1], &last, sizeof last) != sizeof last) _exit(1);
    }
  }
  close(acknowledged[1]);
  std::uint64_t last = 0;
  while (read(acknowledged[0], &last, sizeof last) == sizeof last) {
  }
  close(acknowledged[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return last;
}

/// The same batches in memory. A purge that was not finished leaves the history as it was, so only what both have is compared.
void bring_to(sparse& twin, std::uint64_t batch) {
  while (twin.last_batch() < batch) {
    const std::uint64_t next = twin.last_batch() + 1;
    if (next % 11 == 0) {
      twin.erase_vertices(std::vector<std::uint64_t>{numbered_batch(7, next).front().edge.u});
    } else {
      twin.apply(numbered_batch(7, next));
    }
  }
}

void expect_same_components(const sparse& found, const sparse& expected) {
  ASSERT_EQ(found.labels(), expected.labels());
  for (const auto& [v, label] : expected.labels()) ASSERT_EQ(found.component_of(v), expected.component_of(v));
  ASSERT_EQ(found.edge_count(), expected.edge_count());
}

TEST(dynamic_power, what_was_committed_stays) {
  NEEDS_STORE;
  std::mt19937 random{5};
  const temporary_folder folder;
  sparse twin{kept};
  std::uint64_t before = 0;
  for (unsigned round = 0; round < (quick() ? 20u : all_graphs() ? 600u : 60u); ++round) {
    const std::uint64_t last = std::max(before, last_before_the_power_fails(folder / "g", durability::full, 1 + random() % 200, round));
    std::filesystem::remove(folder / "g/batches.sqlite-shm");  // it was in memory
    if (!dynamic_facts_of(folder / "g")) {
      ASSERT_EQ(last, 0u);
      continue;
    }
    const sparse graph = sparse::open(folder / "g", kept);
    ASSERT_GE(graph.last_batch(), last) << "round " << round;
    ASSERT_LE(graph.last_batch(), last + 1);
    bring_to(twin, graph.last_batch());
    ASSERT_NO_FATAL_FAILURE(expect_same_components(graph, twin)) << "round " << round;
    before = graph.last_batch();
  }
  EXPECT_GT(before, 20u);
}

TEST(dynamic_power, relaxed_durability_loses_whole_batches_at_the_end) {
  NEEDS_STORE;
  std::mt19937 random{6};
  std::uint64_t lost = 0;
  for (unsigned round = 0; round < (quick() ? 10u : all_graphs() ? 300u : 30u); ++round) {
    const temporary_folder folder;
    const std::uint64_t last = last_before_the_power_fails(folder / "g", durability::relaxed, 40 + random() % 300, round);
    std::filesystem::remove(folder / "g/batches.sqlite-shm");
    if (!dynamic_facts_of(folder / "g")) continue;
    const sparse graph = sparse::open(folder / "g", kept);
    ASSERT_LE(graph.last_batch(), last + 1);
    lost += last - std::min(last, graph.last_batch());
    sparse twin{kept};
    bring_to(twin, graph.last_batch());
    ASSERT_NO_FATAL_FAILURE(expect_same_components(graph, twin)) << "round " << round;
  }
  EXPECT_GT(lost, 0u) << "the file layer drops something";
}

std::size_t states_in(const std::filesystem::path& folder) {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    found += entry.path().filename().native().starts_with("state.") ? 1 : 0;
  return found;
}

/// Writes a state into copies of `begun`, which has batches 1 to 9, with power that fails at each step in turn. Returns how many files that
/// nothing names were left, in all.
std::size_t fail_at_each_step(const std::filesystem::path& begun, bool purges, durability durable) {
  const std::vector<std::uint64_t> purged{numbered_batch(7, 1).front().edge.u};
  std::vector<sparse> twins;
  for (int i = 0; i < 2; ++i) {
    sparse& twin = twins.emplace_back(kept);
    while (twin.last_batch() < 9) twin.apply(numbered_batch(7, twin.last_batch() + 1));
  }
  twins[1].erase_vertices(purged);
  constexpr int ended = 77;
  std::size_t orphans = 0;
  for (unsigned step = 1, status = 0; status != ended; ++step) {
    const temporary_folder place;
    const std::filesystem::path folder = place / "g";
    std::filesystem::copy(begun, folder);
    const pid_t child = fork();
    if (child == 0) {
      dropping_files::install(step, step);
      {
        sparse graph = sparse::open(folder, kept, {.durable = durable});
        if (purges) {
          graph.purge_vertices(purged);
        } else {
          graph.compact();
        }
      }
      _exit(ended);
    }
    int how = 0;
    waitpid(child, &how, 0);
    status = WIFEXITED(how) ? static_cast<unsigned>(WEXITSTATUS(how)) : 1;
    EXPECT_TRUE(status == ended || status == 0) << "step " << step;
    if (::testing::Test::HasFailure()) return orphans;
    std::filesystem::remove(folder / "batches.sqlite-shm");
    const std::size_t left = states_in(folder);
    for (const bool read_only : {true, false}) {
      EXPECT_EQ(states_in(folder), left) << "readers remove nothing";
      const sparse graph = sparse::open(folder, {}, {.read_only = read_only});
      EXPECT_TRUE(graph.last_batch() == 9 || (purges && graph.last_batch() == 10));
      EXPECT_NO_FATAL_FAILURE(expect_same_components(graph, twins[graph.last_batch() - 9])) << "step " << step;
    }
    orphans += left - states_in(folder);
  }
  return orphans;
}

TEST(dynamic_power, at_each_step_of_writing_a_state_leaves_one_that_can_be_opened) {
  NEEDS_STORE;
  const temporary_folder folder;
  {
    sparse graph = sparse::open(folder / "begun", kept);
    for (std::uint64_t next = 1; next <= 9; ++next) {
      graph.apply(numbered_batch(7, next));
      if (next == 2 || next == 6) graph.compact();
    }
  }
  for (const bool purges : {false, true}) {
    for (const durability durable : {durability::full, durability::relaxed})
      EXPECT_GT(fail_at_each_step(folder / "begun", purges, durable), 0u) << "some steps are between a file and its name";
  }
}

}  // namespace
}  // namespace copse::test
