// gpu_incremental: batches of every size by every way to the GPU, against the same batches on the CPU.
#include <copse/core/error.hpp>
#include <copse/gen/generate.hpp>
#include <copse/gpu_incremental.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;

edges random_edges(id vertices, std::size_t count, std::uint32_t seed) {
  std::mt19937 random{seed};
  edges made;
  for (std::size_t i = 0; i < count; ++i) made.push_back({static_cast<id>(random() % vertices), static_cast<id>(random() % vertices)});
  return made;
}

void expect_same(gpu_incremental& there, incremental& here, std::string_view what) {
  EXPECT_EQ(there.count(), here.count()) << what;
  EXPECT_EQ(checksum(there.labels()), checksum(here.labels())) << what;
  const auto pairs = random_edges(here.slots() + 5, 1000, 9);
  const auto a = there.connected(pairs), b = here.connected(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(a[i], b[i]) << what << ": " << pairs[i].u << " " << pairs[i].v;
}

TEST(gpu_incremental, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(gpu_incremental(3), resource_error);
}

TEST(gpu_incremental, batches_in_host_memory_have_the_labels_of_the_cpu) {
  COPSE_NEEDS_GPU();
  constexpr id n = 200000;
  const auto all = random_edges(n, 300000, 1);
  for (const std::size_t batch : {std::size_t{1}, std::size_t{777}, std::size_t{1} << 17, (std::size_t{1} << 17) + 1, all.size()}) {
    gpu_incremental there(n, {.piece_edges = 50000});  // several pieces a batch
    incremental here(n);
    const std::size_t count = batch == 1 ? 500 : all.size();
    for (std::size_t at = 0; at < count; at += batch) {
      const auto part = std::span{all}.subspan(at, std::min(batch, count - at));
      there.insert(part);
      here.insert(part);
    }
    expect_same(there, here, "batches of " + std::to_string(batch));
  }
}

TEST(gpu_incremental, takes_pinned_and_resident_batches_in_any_order) {
  COPSE_NEEDS_GPU();
  constexpr id n = 500000;
  gpu_incremental there(n, {.piece_edges = 60000});
  incremental here(n);
  for (std::uint32_t round = 0; round < 6; ++round) {
    const auto batch = random_edges(n, round % 2 == 0 ? 150000 : 5000, round);
    buffer<edge<id>> pinned{batch.size(), gpu_incremental::pinned()};
    std::copy(batch.begin(), batch.end(), pinned.begin());
    there.insert(pinned.span());
    std::fill(pinned.begin(), pinned.end(), edge<id>{0, 1});  // it has been taken
    there.insert(batch);
    const auto resident = there.to_gpu(random_edges(n, 20000, 100 + round));
    there.insert_resident(resident.span());
    there.wait();
    here.insert(batch);
    here.insert(random_edges(n, 20000, 100 + round));
    expect_same(there, here, "round " + std::to_string(round));
  }
}

TEST(gpu_incremental, grows_and_keeps_what_was_joined) {
  COPSE_NEEDS_GPU();
  gpu_incremental there(10);
  there.insert(edges{{1, 2}, {9, 0}});
  there.grow(5);
  EXPECT_EQ(there.vertices(), 10u);
  there.grow(3000000);
  there.insert(edges{{2999999, 2}, {11, 12}});
  EXPECT_EQ(there.count(), 3000000u - 4);
  EXPECT_TRUE(there.connected(edges{{1, 2999999}})[0]);
  EXPECT_FALSE(there.connected(edges{{1, 9}})[0]);
}

TEST(gpu_incremental, refuses_ids_that_are_no_vertices_and_inserts_the_rest) {
  COPSE_NEEDS_GPU();
  gpu_incremental there(100);
  there.insert(edges{{1, 2}, {3, 100}, {no_vertex<id>, no_vertex<id>}, {4, 5}});
  try {
    there.wait();
    ADD_FAILURE() << "not refused";
  } catch (const input_error& e) {
    EXPECT_STREQ(e.what(), "gpu_incremental: found 2 edges with ids that are no vertices, expected ids below 100");
  }
  EXPECT_EQ(there.count(), 98u) << "told once";
  const auto answers = there.connected(edges{{1, 2}, {3, 100}, {200, 200}, {100, 101}});
  EXPECT_TRUE(answers[0]);
  EXPECT_FALSE(answers[1]);
  EXPECT_TRUE(answers[2]);
  EXPECT_FALSE(answers[3]);
}

TEST(gpu_incremental, memory_that_ends_is_a_resource_error) {
  COPSE_NEEDS_GPU();
  EXPECT_THROW(gpu_incremental(1000000, {.memory_limit_bytes = 100000}), resource_error);
}

}  // namespace
}  // namespace copse::test
