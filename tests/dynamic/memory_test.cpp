// The memory of dynamic graphs, as their memory resource is asked for it.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/execution.hpp>
#include <dynamic/block_pool.hpp>
#include <dynamic/chunked_column.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory_resource>
#include <random>
#include <utility>
#include <vector>

namespace copse::test {
namespace {

class counted_memory : public std::pmr::memory_resource {
public:
  [[nodiscard]] std::size_t now() const noexcept { return now_; }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  void forget_most() noexcept { most_ = now_; }

private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const at = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    most_ = std::max(most_, now_ += bytes);
    return at;
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    now_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::size_t now_ = 0, most_ = 0;
};

/// Blocks of a pool, each filled with a number of its own.
class filled_blocks {
public:
  explicit filled_blocks(std::pmr::memory_resource* memory) : pool_{memory} {}

  [[nodiscard]] std::size_t units() const noexcept { return units_; }
  [[nodiscard]] std::size_t count() const noexcept { return blocks_.size(); }
  void allocate(std::uint32_t units) {
    const std::uint32_t block = pool_.allocate(units);
    std::fill_n(pool_.at(block), units * std::size_t{4}, block);
    blocks_.push_back({block, units});
    units_ += units;
  }
  /// Frees a block, and checks that nothing else was written to it.
  void free(std::size_t i) {
    const auto [block, units] = blocks_[i];
    const std::uint32_t* const at = pool_.at(block);
    ASSERT_TRUE(std::all_of(at, at + units * std::size_t{4}, [block = block](std::uint32_t x) { return x == block; }));
    pool_.free(block, units);
    blocks_[i] = blocks_.back();
    blocks_.pop_back();
    units_ -= units;
  }

private:
  struct held {
    std::uint32_t block, units;
  };
  dynamics::block_pool pool_;
  std::vector<held> blocks_;
  std::size_t units_ = 0;
};

TEST(dynamic_memory, freed_blocks_become_blocks_of_other_sizes) {
  counted_memory memory;
  filled_blocks blocks{&memory};
  constexpr std::size_t bytes = 32 << 20;
  for (const std::uint32_t units : {1u, 4u, 64u, 3u, 2u, 1024u, 8u}) {
    while (blocks.units() * 16 < bytes) blocks.allocate(units);
    while (blocks.count() != 0) ASSERT_NO_FATAL_FAILURE(blocks.free(blocks.count() - 1));
  }
  EXPECT_LT(memory.most(), bytes * 3 / 2);
}

TEST(dynamic_memory, blocks_do_not_overlap_while_sizes_come_and_go) {
  counted_memory memory;
  filled_blocks blocks{&memory};
  std::mt19937 random{3};
  constexpr std::uint32_t sizes[] = {1, 1, 1, 2, 2, 3, 4, 8, 16, 32, 256, 4096};
  for (int round = 0; round < 12; ++round) {
    const std::size_t most = (round % 3 + 1) * (std::size_t{8} << 20) / 16;
    while (blocks.units() < most) blocks.allocate(sizes[random() % std::size(sizes)]);
    while (blocks.units() > most / 8) ASSERT_NO_FATAL_FAILURE(blocks.free(random() % blocks.count()));
  }
  EXPECT_LT(memory.most(), std::size_t{48} << 20);
}

TEST(dynamic_memory, blocks_that_workers_freed_are_allocated_again_by_all) {
  counted_memory memory;
  dynamics::block_pool pool{&memory};
  constexpr std::uint32_t count = 1 << 19, workers = 3;  // 16 MiB
  std::vector<std::uint32_t> blocks(count);
  for (std::uint32_t& block : blocks) block = pool.allocate(2);
  for (int round = 0; round < 4; ++round) {
    const auto shares = pool.shares(workers);
    for (std::uint32_t i = 0; i < count; ++i) shares[i % workers].free(blocks[i], 2);
    for (std::uint32_t i = 0; i < count; ++i) blocks[i] = round % 2 == 0 ? pool.allocate(2) : pool.shares(workers)[i % workers].allocate(2);
    std::vector<std::uint32_t> sorted = blocks;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  }
  EXPECT_LT(memory.now(), std::size_t{32} << 20);
}

TEST(dynamic_memory, columns_keep_their_elements_in_place_and_waste_less_than_a_chunk) {
  counted_memory memory;
  dynamics::chunked_column<std::uint64_t> column{&memory};
  column.resize(1);
  const std::uint64_t* const first = &column[0];
  for (std::size_t i = 0; i < 100'000; ++i) {
    column.resize(i + 1);
    column[i] = i * 7;
  }
  EXPECT_EQ(first, &column[0]);
  for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], i * 7);
  EXPECT_LT(memory.now(), 100'000 * sizeof(std::uint64_t) + (1 << 16) + 1024);
}

TEST(dynamic_memory, graphs_waste_little_while_they_grow) {
  constexpr std::uint32_t vertices = 1 << 17;
  // Without weights, and with them: bytes per edge beyond 48 per vertex, for 4 to 16 edges per vertex.
  for (const auto& [weights, most_bytes] : {std::pair{false, 22.}, std::pair{true, 39.}}) {
    counted_memory memory;
    dynamic graph{{.weights = weights, .history = 0}, {.threads = 1, .memory = &memory}};
    std::mt19937 random{9};
    std::vector<dynamic_edge<std::uint32_t>> edges(10'000);
    while (graph.edge_count() < 16 * vertices) {
      for (auto& edge : edges)
        edge = {.u = static_cast<std::uint32_t>(random() % vertices), .v = static_cast<std::uint32_t>(random() % vertices)};
      memory.forget_most();
      graph.insert(edges);
      if (graph.edge_count() < 4 * vertices) continue;
      const double bytes = static_cast<double>(memory.most()) - 48. * vertices;
      ASSERT_LT(bytes / static_cast<double>(graph.edge_count()), most_bytes) << graph.edge_count() << " edges, weights " << weights;
    }
  }
}

}  // namespace
}  // namespace copse::test
