// Loops of the backends: every vertex and every arc exactly once, however rows are cut; cancellation; progress.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <loops/bag.hpp>
#include <loops/host_loops.hpp>
#include <loops/partition.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace copse::test {
namespace {

using rows = csr_view<std::uint32_t, std::uint64_t>;

template <class Backend>
class loops : public ::testing::Test {};
using backends = testing::Types<backend::serial, backend::threads>;
TYPED_TEST_SUITE(loops, backends);

/// Degrees with everything that is awkward to cut: empty rows, at the ends too, and one row longer than many blocks.
std::vector<std::uint64_t> awkward_offsets() {
  std::vector<std::uint64_t> degrees(5000, 0);
  for (std::size_t v = 100; v < 4900; ++v) degrees[v] = v % 7;
  degrees[2500] = 300'000;
  std::vector<std::uint64_t> offsets{0};
  for (const auto d : degrees) offsets.push_back(offsets.back() + d);
  return offsets;
}

TYPED_TEST(loops, blocks_cover_the_range_once) {
  for (const std::size_t count : {0u, 1u, 255u, 256u, 257u, 1'000'000u}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      std::vector<std::atomic<int>> visits(count);
      TypeParam{threads}.for_blocks(count, [&](std::size_t begin, std::size_t end) {
        ASSERT_LT(begin, end);
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (const auto& v : visits) ASSERT_EQ(v, 1);
    }
  }
}

TYPED_TEST(loops, runs_cover_the_range_once_and_know_what_their_thread_covered_before) {
  constexpr std::size_t chunk = 64;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, chunk, chunk + 1, 99 * chunk - 1}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      const TypeParam backend{threads};
      std::vector<std::atomic<int>> visits(count);
      std::vector<unsigned> by(count, threads);
      backend.for_runs(count, chunk, [&](std::size_t begin, std::size_t end, std::size_t run) {
        EXPECT_EQ(begin % chunk, 0u);
        EXPECT_EQ(end, std::min(count, begin + chunk));
        EXPECT_LE(run, begin);
        for (std::size_t i = run; i < begin; ++i) EXPECT_EQ(by[i], backend.thread());  // its own writes: no race
        for (std::size_t i = begin; i < end; ++i) {
          by[i] = backend.thread();
          ++visits[i];
        }
      });
      for (const auto& v : visits) ASSERT_EQ(v, 1);
    }
  }
}

TEST(thread_loops, runs_begin_with_a_share_of_every_thread) {
  constexpr std::size_t threads = 5, chunks = 4 * threads;
  const backend::threads backend{threads};
  std::atomic<std::size_t> come{0};
  std::vector<std::size_t> first(threads, chunks);
  backend.for_runs(chunks, 1, [&](std::size_t begin, std::size_t, std::size_t) {
    std::size_t& mine = first[backend.thread()];
    if (mine != chunks) return;
    mine = begin;
    ++come;
    while (come < threads) std::this_thread::yield();
  });
  EXPECT_EQ(first, (std::vector<std::size_t>{0, 4, 8, 12, 16}));
}

/// The threads that a loop of `blocks` blocks runs on, by the system's names, which are not given again so soon. Each block waits until
/// `thread_count` threads have come, so that no thread does the work of two.
std::set<long> threads_of_a_loop(const backend::threads& backend, std::size_t blocks, std::size_t thread_count) {
  std::mutex guard;
  std::set<long> threads;
  std::atomic<std::size_t> come{0};
  backend.for_chunks(blocks, 1, [&](std::size_t, std::size_t) {
    {
      const std::lock_guard lock{guard};
      threads.insert(syscall(SYS_gettid));
    }
    ++come;
    while (come < thread_count) std::this_thread::yield();
  });
  return threads;
}

TEST(thread_loops, a_small_loop_does_not_end_the_threads_of_the_team) {
  const backend::threads backend{6};
  const auto before = threads_of_a_loop(backend, 6, 6);
  ASSERT_EQ(before.size(), 6u);
  threads_of_a_loop(backend, 2, 2);
  threads_of_a_loop(backend, 1, 1);
  EXPECT_EQ(threads_of_a_loop(backend, 6, 6), before);
}

TYPED_TEST(loops, row_pieces_cover_every_vertex_and_each_arc_once) {
  const auto offsets = awkward_offsets();
  const std::vector<std::uint32_t> targets(offsets.back(), 0);
  const rows g{offsets, targets, symmetry::yes, true};
  for (const unsigned threads : {1u, 2u, 7u}) {
    std::vector<std::atomic<int>> vertex_visits(g.vertices()), arc_visits(g.arcs());
    TypeParam{threads}.for_row_pieces(g, [&](std::uint32_t v, std::uint64_t first, std::uint64_t last) {
      ++vertex_visits[v];
      ASSERT_GE(first, offsets[v]);
      ASSERT_LE(last, offsets[v + 1]);
      for (auto a = first; a < last; ++a) ++arc_visits[a];
    });
    for (std::size_t v = 0; v < vertex_visits.size(); ++v) {
      ASSERT_GE(vertex_visits[v], 1) << v;
      if (offsets[v] == offsets[v + 1]) {
        ASSERT_EQ(vertex_visits[v], 1) << v;
      }
    }
    for (const auto& visits : arc_visits) ASSERT_EQ(visits, 1);
  }
}

TYPED_TEST(loops, a_graph_without_vertices_has_no_rows) {
  TypeParam{2}.for_row_pieces(rows{}, [](std::uint32_t, std::uint64_t, std::uint64_t) { FAIL(); });
}

TYPED_TEST(loops, guided_turns_cover_every_vertex_and_each_whole_row_once) {
  const auto offsets = awkward_offsets();
  const std::vector<std::uint32_t> targets(offsets.back(), 0);
  const rows g{offsets, targets, symmetry::yes, true};
  for (const unsigned threads : {1u, 2u, 7u}) {
    const TypeParam backend{threads};
    std::vector<std::atomic<int>> visits(g.vertices());
    backend::guided{backend}.for_row_pieces(g, [&](std::uint32_t v, std::uint64_t first, std::uint64_t last) {
      ++visits[v];
      ASSERT_EQ(first, offsets[v]);
      ASSERT_EQ(last, offsets[v + 1]);
      ASSERT_LT(backend.thread(), backend.threads());
    });
    for (const auto& v : visits) ASSERT_EQ(v, 1);
  }
}

TYPED_TEST(loops, a_bag_holds_what_threads_add_and_fillers_and_says_when_it_is_full) {
  constexpr std::size_t items = 100'000;
  constexpr std::uint32_t filler = UINT32_MAX;
  for (const unsigned threads : {1u, 2u, 7u}) {
    const TypeParam backend{threads};
    backend::bag<std::uint32_t> bag{backend.threads(), 1000, filler, host_memory()};
    std::vector<std::atomic<int>> added(items);
    const auto add_missing = [&] {
      std::atomic<bool> full{false};
      backend.for_blocks(items, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (added[i] != 0) continue;
          if (bag.has_room(backend.thread())) {
            bag.add(backend.thread(), static_cast<std::uint32_t>(i));
            ++added[i];
          } else {
            full = true;
          }
        }
      });
      return full.load();
    };
    int grown = 0;
    for (; add_missing(); ++grown) bag.grow();
    EXPECT_GE(grown, 3);
    std::vector<int> found(items);
    std::size_t fillers = 0;
    for (const std::uint32_t item : bag.items()) {
      if (item == filler) {
        ++fillers;
      } else {
        ++found.at(item);
      }
    }
    for (const int f : found) ASSERT_EQ(f, 1);
    EXPECT_LT(fillers, std::size_t{64} * threads * static_cast<unsigned>(grown + 1));
  }
}

TYPED_TEST(loops, a_partition_brings_buckets_together_and_loses_nothing) {
  for (const std::size_t count : {0u, 1u, 1000u, 300'000u}) {
    std::vector<std::uint64_t> items(count), sorted(count), parted(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = i * 0x9E3779B97F4A7C15u;
    for (const unsigned threads : {1u, 7u}) {
      const auto bucket_of = [](std::uint64_t item) { return static_cast<std::size_t>(item % 1000); };
      backend::partition(TypeParam{threads}, std::span<const std::uint64_t>{items}, parted.data(), bucket_of);
      ASSERT_TRUE(std::ranges::is_sorted(parted, {}, bucket_of));
      sorted = items;
      std::ranges::sort(sorted);
      auto found = parted;
      std::ranges::sort(found);
      ASSERT_EQ(found, sorted);
    }
  }
}

class impatient final : public observer {
public:
  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override {
    EXPECT_EQ(stage, "solve");
    EXPECT_EQ(unit, "vertices");
    EXPECT_LE(done, total);
    ++reports;
  }
  [[nodiscard]] bool cancel_requested() const noexcept override { return ++polls > 2; }

  std::atomic<int> reports{0};
  mutable std::atomic<int> polls{0};
};

TYPED_TEST(loops, stop_when_the_observer_asks) {
  impatient watcher;
  const TypeParam backend{2, &watcher};
  std::atomic<std::size_t> done{0};
  constexpr std::size_t count = 100'000'000;
  EXPECT_THROW(backend.for_blocks(count, [&](std::size_t begin, std::size_t end) { done += end - begin; }), cancelled);
  EXPECT_LT(done, count);
  EXPECT_THROW(backend.for_runs(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) { done += end - begin; }), cancelled);
  EXPECT_LT(done, 2 * count);
  EXPECT_GE(watcher.reports, 1);
}

}  // namespace
}  // namespace copse::test
