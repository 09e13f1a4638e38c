// gpu_incremental: batches of every size by every way to the GPU, against the same batches on the CPU.
#include <cuda_runtime_api.h>
#include <copse/cuda_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;

edges random_edges(id vertices, std::size_t count, std::uint32_t seed) {
  std::mt19937 random{seed};
  edges drawn;
  for (std::size_t i = 0; i < count; ++i) drawn.push_back({static_cast<id>(random() % vertices), static_cast<id>(random() % vertices)});
  return drawn;
}

void expect_same(gpu_incremental& on_gpu, incremental& on_cpu, std::string_view what) {
  EXPECT_EQ(on_gpu.count(), on_cpu.count()) << what;
  EXPECT_EQ(checksum(on_gpu.labels()), checksum(on_cpu.labels())) << what;
  const auto pairs = random_edges(on_cpu.slots() + 5, 1000, 9);
  const auto a = on_gpu.connected(pairs), b = on_cpu.connected(pairs);
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
    gpu_incremental on_gpu(n, {.piece_edges = 50000});  // several pieces a batch
    incremental on_cpu(n);
    const std::size_t count = batch == 1 ? 500 : all.size();
    for (std::size_t at = 0; at < count; at += batch) {
      const auto part = std::span{all}.subspan(at, std::min(batch, count - at));
      on_gpu.insert(part);
      on_cpu.insert(part);
    }
    expect_same(on_gpu, on_cpu, "batches of " + std::to_string(batch));
  }
}

TEST(gpu_incremental, large_batches_in_pageable_memory_have_the_labels_of_the_cpu) {
  COPSE_NEEDS_GPU();
  constexpr id n = 500000;
  const auto all = random_edges(n, 1800000, 3);
  gpu_incremental on_gpu(n, {.piece_edges = 200000});  // of more than a MiB, which several threads copy; each is filled again
  incremental on_cpu(n);
  for (const std::size_t at : {std::size_t{0}, std::size_t{900000}}) {
    auto batch = std::vector(all.begin() + at, all.begin() + at + 900000);
    on_gpu.insert(batch);
    on_cpu.insert(batch);
    std::fill(batch.begin(), batch.end(), edge<id>{0, 1});  // it has been taken
    expect_same(on_gpu, on_cpu, "from edge " + std::to_string(at));
  }
}

TEST(gpu_incremental, takes_pinned_and_resident_batches_in_any_order) {
  COPSE_NEEDS_GPU();
  constexpr id n = 500000;
  gpu_incremental on_gpu(n, {.piece_edges = 60000});
  incremental on_cpu(n);
  for (std::uint32_t round = 0; round < 6; ++round) {
    const auto batch = random_edges(n, round % 2 == 0 ? 150000 : 5000, round);
    buffer<edge<id>> pinned{batch.size(), gpu_incremental::pinned()};
    std::copy(batch.begin(), batch.end(), pinned.begin());
    on_gpu.insert(pinned.span());
    std::fill(pinned.begin(), pinned.end(), edge<id>{0, 1});  // it has been taken
    on_gpu.insert(batch);
    const auto resident = on_gpu.to_gpu(random_edges(n, 20000, 100 + round));
    on_gpu.insert_resident({resident.data(), resident.size()});
    on_gpu.wait();
    on_cpu.insert(batch);
    on_cpu.insert(random_edges(n, 20000, 100 + round));
    expect_same(on_gpu, on_cpu, "round " + std::to_string(round));
  }
}

/// All of `list` in batches that are on the GPU, against the CPU; the batches go by the ways that their sizes ask for.
void expect_same_resident(id vertices, const edges& list, std::size_t batch, std::string_view what) {
  gpu_incremental on_gpu(vertices);
  incremental on_cpu(vertices);
  const auto resident = on_gpu.to_gpu(list);
  for (std::size_t at = 0; at < list.size(); at += batch) {
    on_gpu.insert_resident({resident.data() + at, std::min(batch, list.size() - at)});
  }
  on_gpu.wait();
  on_cpu.insert(list);
  expect_same(on_gpu, on_cpu, what);
}

// The giant is looked for after n and 2^20 edges, again after twice as many, and only batches of 786,432 edges and more go past it.
TEST(gpu_incremental, large_batches_go_past_the_giant) {
  COPSE_NEEDS_GPU();
  for (const id n : {id{1000}, id{33000}, id{1100003}, id{2300000}}) {  // groups of 1, 1, 2 and 4 vertices
    const auto list = random_edges(n, 6000000, n);
    for (const std::size_t batch : {list.size(), std::size_t{1500000}}) {
      expect_same_resident(n, list, batch, "random edges of " + std::to_string(n) + " vertices by " + std::to_string(batch));
    }
  }
  // Half of the vertices have no edge: no group is full, and vertices are asked for one by one.
  auto sparse = random_edges(800000, 5000000, 4);
  for (auto& e : sparse) e = {2 * e.u, 2 * e.v + (e.u % 1000 == 0 ? 1 : 0)};
  expect_same_resident(1600001, sparse, sparse.size(), "every other vertex");
}

TEST(gpu_incremental, large_batches_without_a_giant) {
  COPSE_NEEDS_GPU();
  auto list = random_edges(1000000, 5000000, 5);
  for (auto& e : list) e.v = e.u / 16 * 16 + e.v % 16;
  expect_same_resident(1000000, list, list.size(), "clusters of 16");
  // Two halves, joined by the last edges only: the giant is one of them.
  auto halves = random_edges(600000, 6000000, 6);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i].u += i % 3 == 0 ? 600000 : 0;
    halves[i].v += i % 3 == 0 ? 600000 : 0;
  }
  expect_same_resident(1200000, halves, halves.size(), "two halves");
  halves.push_back({599999, 600000});
  expect_same_resident(1200000, halves, 3000000, "joined halves");
}

TEST(gpu_incremental, vertices_that_come_later_are_outside_the_giant) {
  COPSE_NEEDS_GPU();
  constexpr id first = 1500000;
  for (const id second : {first + 40, 5 * first}) {  // with room for them, and without
    gpu_incremental on_gpu(first - 100);
    on_gpu.grow(first);  // by half
    incremental on_cpu(first);
    const auto early = random_edges(first, 4500000, 7);
    const auto early_on_gpu = on_gpu.to_gpu(early);
    on_gpu.insert_resident({early_on_gpu.data(), early_on_gpu.size()});
    on_cpu.insert(early);
    on_gpu.grow(second);
    on_cpu = incremental(second);
    on_cpu.insert(early);
    const auto late = random_edges(second, 4000000, 8);
    const auto late_on_gpu = on_gpu.to_gpu(late);
    on_gpu.insert_resident({late_on_gpu.data(), late_on_gpu.size()});
    on_cpu.insert(late);
    expect_same(on_gpu, on_cpu, "grown to " + std::to_string(second));
  }
}

TEST(gpu_incremental, more_vertices_than_groups_can_have) {
  COPSE_NEEDS_GPU();
  constexpr id n = (id{1} << 25) + 1000;
  edges tree(n - 1);
  for (id v = 1; v < n; ++v) tree[std::uint64_t{v} * 1000003 % (n - 1)] = {v, v / 2};  // the two numbers have no common divisor
  edges more;
  for (id v = 1; v < n / 4; ++v) more.push_back({v, n - v});
  gpu_incremental on_gpu(n);
  const auto first = on_gpu.to_gpu(std::span{tree}.first(tree.size() - 5)), others = on_gpu.to_gpu(more);
  on_gpu.insert_resident({first.data(), first.size()});
  on_gpu.insert_resident({others.data(), others.size()});
  on_gpu.insert_resident({others.data(), others.size()});
  const std::uint64_t before = on_gpu.count();
  on_gpu.insert(std::span{tree}.last(5));
  EXPECT_EQ(on_gpu.count(), 1u);
  EXPECT_LE(before, 6u);
}

TEST(gpu_incremental, counts_bad_ids_in_batches_past_the_giant) {
  COPSE_NEEDS_GPU();
  constexpr id n = 100000;
  auto list = random_edges(n, 4000000, 11);
  list.push_back({n, 1});
  list.push_back({2, no_vertex<id>});
  gpu_incremental on_gpu(n);
  const auto resident = on_gpu.to_gpu(list);
  on_gpu.insert_resident({resident.data(), resident.size()});
  EXPECT_EQ(thrown<input_error>([&] { on_gpu.wait(); }),
            "gpu_incremental: found 2 edges with ids that are no vertices, expected ids below 100000");
  incremental on_cpu(n);
  on_cpu.insert(std::span{list}.first(list.size() - 2));
  expect_same(on_gpu, on_cpu, "the others");
  gpu_incremental empty(0);
  empty.insert_resident({resident.data(), resident.size()});
  EXPECT_THROW(empty.wait(), input_error);
}

TEST(gpu_incremental, answers_may_stay_on_the_gpu) {
  COPSE_NEEDS_GPU();
  gpu_incremental on_gpu(5000);
  on_gpu.insert(random_edges(5000, 3000, 12));
  for (const std::size_t count : {std::size_t{1}, std::size_t{33}, std::size_t{64}, std::size_t{1000}}) {
    const auto queries = random_edges(5005, count, 13);
    const auto queries_on_gpu = on_gpu.to_gpu(queries);
    auto answers = on_gpu.answers_on_gpu(count);
    on_gpu.connected_resident({queries_on_gpu.data(), queries_on_gpu.size()}, {answers.data(), answers.size()});
    on_gpu.wait();
    const auto expected = on_gpu.connected(queries);
    std::vector<std::uint64_t> found(answers.size());
    ASSERT_EQ(cudaMemcpy(found.data(), answers.data(), 8 * found.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(std::ranges::equal(found, expected.words())) << count;
    EXPECT_THROW(on_gpu.connected_resident({queries_on_gpu.data(), queries_on_gpu.size()}, {answers.data(), answers.size() - 1}),
                 usage_error);
  }
}

TEST(gpu_incremental, grows_and_keeps_what_was_joined) {
  COPSE_NEEDS_GPU();
  gpu_incremental on_gpu(10);
  on_gpu.insert(edges{{1, 2}, {9, 0}});
  on_gpu.grow(5);
  EXPECT_EQ(on_gpu.vertices(), 10u);
  on_gpu.grow(3000000);
  on_gpu.insert(edges{{2999999, 2}, {11, 12}});
  EXPECT_EQ(on_gpu.count(), 3000000u - 4);
  EXPECT_TRUE(on_gpu.connected(edges{{1, 2999999}})[0]);
  EXPECT_FALSE(on_gpu.connected(edges{{1, 9}})[0]);
}

TEST(gpu_incremental, refuses_ids_that_are_no_vertices_and_inserts_the_rest) {
  COPSE_NEEDS_GPU();
  gpu_incremental on_gpu(100);
  on_gpu.insert(edges{{1, 2}, {3, 100}, {no_vertex<id>, no_vertex<id>}, {4, 5}});
  EXPECT_EQ(thrown<input_error>([&] { on_gpu.wait(); }),
            "gpu_incremental: found 2 edges with ids that are no vertices, expected ids below 100");
  EXPECT_EQ(on_gpu.count(), 98u) << "reported once";
  const auto answers = on_gpu.connected(edges{{1, 2}, {3, 100}, {200, 200}, {100, 101}});
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
