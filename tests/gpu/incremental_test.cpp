// incremental on a GPU: batches of every size by every way there, against the same batches on the CPU.
#include <cuda_runtime_api.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gpu/callers.hpp"
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

incremental declared_on_gpu(id vertices, const std::string& variant = "auto") {
  return incremental{{.variant = variant, .ids = vertex_ids::integers, .vertices = vertices}, {.device = "cuda"}};
}

words copy_of(std::span<const edge<id>> list) { return words{list}; }
device_span<const edge<id>> edges_in(const words& there) { return there.of<edge<id>>(); }

device_span<std::uint64_t> answers_in(const words& room) { return {reinterpret_cast<std::uint64_t*>(room.data()), room.size() / 2}; }
std::vector<std::uint64_t> words_of(device_span<std::uint64_t> answers) {
  std::vector<std::uint64_t> found(answers.size());
  EXPECT_EQ(cudaMemcpy(found.data(), answers.data(), 8 * found.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  return found;
}

void expect_same(incremental& on_gpu, incremental& on_cpu, std::string_view what) {
  on_gpu.wait();
  EXPECT_EQ(on_gpu.count(), on_cpu.count()) << what;
  EXPECT_EQ(checksum(on_gpu.labels()), checksum(on_cpu.labels())) << what;
  const auto pairs = random_edges(static_cast<id>(on_cpu.slots()) + 5, 1000, 9);
  const auto a = on_gpu.connected(pairs), b = on_cpu.connected(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(a[i], b[i]) << what << ": " << pairs[i].u << " " << pairs[i].v;
}

TEST(incremental_on_gpu, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(declared_on_gpu(3), resource_error);
  incremental on_cpu{{.vertices = 3}};
  EXPECT_EQ(thrown<usage_error>([&] { on_cpu.insert_async(edges{}); }), "insert_async needs a structure on a GPU: give execution::device");
}

TEST(incremental_on_gpu, batches_in_host_memory_have_the_labels_of_the_cpu) {
  COPSE_NEEDS_GPU();
  constexpr id n = 200000;
  const auto all = random_edges(n, 300000, 1);
  for (const std::size_t batch : {std::size_t{1}, std::size_t{777}, std::size_t{1} << 17, (std::size_t{1} << 17) + 1, all.size()}) {
    incremental on_gpu = declared_on_gpu(n);
    incremental on_cpu{{.vertices = n}};
    const std::size_t count = batch == 1 ? 500 : all.size();
    for (std::size_t at = 0; at < count; at += batch) {
      const auto part = std::span{all}.subspan(at, std::min(batch, count - at));
      on_gpu.insert_async(part);
      on_cpu.insert(part);
    }
    expect_same(on_gpu, on_cpu, "batches of " + std::to_string(batch));
  }
}

TEST(incremental_on_gpu, large_batches_in_pageable_memory_have_the_labels_of_the_cpu) {
  COPSE_NEEDS_GPU();
  constexpr id n = 500000;
  constexpr std::size_t size = 5000000;  // pieces of more than a MiB, which several threads copy; each is filled again
  const auto all = random_edges(n, 2 * size, 3);
  incremental on_gpu = declared_on_gpu(n);
  incremental on_cpu{{.vertices = n}};
  for (const std::size_t at : {std::size_t{0}, size}) {
    auto batch = std::vector(all.begin() + at, all.begin() + at + size);
    on_gpu.insert_async(batch);
    on_cpu.insert(batch);
    std::fill(batch.begin(), batch.end(), edge<id>{0, 1});  // it has been taken
    expect_same(on_gpu, on_cpu, "from edge " + std::to_string(at));
  }
}

TEST(incremental_on_gpu, takes_pinned_and_resident_batches_in_any_order) {
  COPSE_NEEDS_GPU();
  constexpr id n = 500000;
  incremental on_gpu = declared_on_gpu(n);
  incremental on_cpu{{.vertices = n}};
  for (std::uint32_t round = 0; round < 6; ++round) {
    const auto batch = random_edges(n, round % 2 == 0 ? 150000 : 5000, round);
    buffer<edge<id>> pinned{batch.size(), pinned_memory()};
    std::copy(batch.begin(), batch.end(), pinned.begin());
    on_gpu.insert_async(std::as_const(pinned).span());
    std::fill(pinned.begin(), pinned.end(), edge<id>{0, 1});  // it has been taken
    on_gpu.insert(batch);
    const auto resident = copy_of(random_edges(n, 20000, 100 + round));
    on_gpu.insert_async(edges_in(resident));
    on_gpu.wait();
    on_cpu.insert(batch);
    on_cpu.insert(random_edges(n, 20000, 100 + round));
    expect_same(on_gpu, on_cpu, "round " + std::to_string(round));
  }
}

/// All of `list` in batches that are on the GPU, against the CPU; the batches go by the ways that their sizes ask for.
void expect_same_resident(id vertices, const edges& list, std::size_t batch, std::string_view what) {
  incremental on_gpu = declared_on_gpu(vertices);
  incremental on_cpu{{.vertices = vertices}};
  const auto resident = copy_of(list);
  for (std::size_t at = 0; at < list.size(); at += batch) {
    on_gpu.insert_async(device_span<const edge<id>>{edges_in(resident).data() + at, std::min(batch, list.size() - at)});
  }
  on_gpu.wait();
  on_cpu.insert(list);
  expect_same(on_gpu, on_cpu, what);
}

// The giant is looked for after n and 2^20 edges, again after twice as many, and only batches of 786,432 edges and more go past it.
TEST(incremental_on_gpu, large_batches_go_past_the_giant) {
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

TEST(incremental_on_gpu, large_batches_without_a_giant) {
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

TEST(incremental_on_gpu, vertices_that_come_later_are_outside_the_giant) {
  COPSE_NEEDS_GPU();
  constexpr id first = 1500000;
  for (const id second : {first + 40, 5 * first}) {  // with room for them, and without
    incremental on_gpu = declared_on_gpu(first - 100), on_cpu{{.vertices = first - 100}};
    const auto make_room = [&](id slots) {
      for (incremental* each : {&on_gpu, &on_cpu}) each->insert(edges{{slots - 1, slots - 1}});
    };
    make_room(first);  // half of it is taken already
    const auto early = random_edges(first, 4500000, 7), late = random_edges(second, 4000000, 8);
    const auto early_on_gpu = copy_of(early), late_on_gpu = copy_of(late);
    on_gpu.insert_async(edges_in(early_on_gpu));
    on_cpu.insert(early);
    on_gpu.wait();
    make_room(second);
    on_gpu.insert_async(edges_in(late_on_gpu));
    on_cpu.insert(late);
    expect_same(on_gpu, on_cpu, "grown to " + std::to_string(second));
  }
}

TEST(incremental_on_gpu, more_vertices_than_groups_can_have) {
  COPSE_NEEDS_GPU();
  constexpr id n = (id{1} << 25) + 1000;
  edges tree(n - 1);
  for (id v = 1; v < n; ++v) tree[std::uint64_t{v} * 1000003 % (n - 1)] = {v, v / 2};  // the two numbers have no common divisor
  edges more;
  for (id v = 1; v < n / 4; ++v) more.push_back({v, n - v});
  incremental on_gpu = declared_on_gpu(n);
  const auto first = copy_of(std::span{tree}.first(tree.size() - 5)), others = copy_of(more);
  on_gpu.insert_async(edges_in(first));
  on_gpu.insert_async(edges_in(others));
  on_gpu.insert_async(edges_in(others));
  on_gpu.wait();
  const std::uint64_t before = on_gpu.count();
  on_gpu.insert(std::span{tree}.last(5));
  EXPECT_EQ(on_gpu.count(), 1u);
  EXPECT_LE(before, 6u);
}

TEST(incremental_on_gpu, counts_bad_ids_in_batches_past_the_giant) {
  COPSE_NEEDS_GPU();
  constexpr id n = 100000;
  auto list = random_edges(n, 4000000, 11);
  list.push_back({n, 1});
  list.push_back({2, no_vertex<id>});
  incremental on_gpu = declared_on_gpu(n);
  const auto resident = copy_of(list);
  on_gpu.insert_async(edges_in(resident));
  EXPECT_EQ(thrown<input_error>([&] { on_gpu.wait(); }),
            "incremental: found 2 edges with ids that are no vertices, expected ids below 100000");
  incremental on_cpu{{.vertices = n}};
  on_cpu.insert(std::span{list}.first(list.size() - 2));
  expect_same(on_gpu, on_cpu, "the others");
  incremental empty = declared_on_gpu(0);
  empty.insert_async(edges_in(resident));
  EXPECT_THROW(empty.wait(), input_error);
}

TEST(incremental_on_gpu, answers_may_stay_on_the_gpu) {
  COPSE_NEEDS_GPU();
  incremental on_gpu = declared_on_gpu(5000);
  on_gpu.insert_async(random_edges(5000, 3000, 12));
  for (const std::size_t count : {std::size_t{1}, std::size_t{33}, std::size_t{64}, std::size_t{1000}}) {
    const auto queries = random_edges(5005, count, 13);
    const auto queries_on_gpu = copy_of(queries);
    const words room{2 * ((count + 63) / 64)};
    const auto answers = answers_in(room);
    on_gpu.connected_async(edges_in(queries_on_gpu), answers);
    on_gpu.wait();
    const auto expected = on_gpu.connected(queries);
    EXPECT_TRUE(std::ranges::equal(words_of(answers), expected.words())) << count;
    EXPECT_THROW(on_gpu.connected_async(edges_in(queries_on_gpu), {answers.data(), answers.size() - 1}), usage_error);
  }
}

TEST(incremental_on_gpu, grows_and_keeps_what_was_joined) {
  COPSE_NEEDS_GPU();
  incremental on_gpu = declared_on_gpu(10);
  on_gpu.insert_async(edges{{1, 2}, {9, 0}});
  on_gpu.wait();
  EXPECT_EQ(on_gpu.slots(), 10u);
  on_gpu.insert(edges{{2999999, 2}, {11, 12}});
  EXPECT_EQ(on_gpu.slots(), 3000000u);
  EXPECT_EQ(on_gpu.count(), 13u - 4);
  EXPECT_TRUE(on_gpu.connected(1, 2999999));
  EXPECT_FALSE(on_gpu.connected(1, 9));
}

TEST(incremental_on_gpu, refuses_ids_that_are_no_vertices_and_inserts_the_rest) {
  COPSE_NEEDS_GPU();
  incremental on_gpu = declared_on_gpu(100);
  on_gpu.insert_async(edges{{1, 2}, {3, 100}, {no_vertex<id>, no_vertex<id>}, {4, 5}});
  EXPECT_EQ(thrown<input_error>([&] { on_gpu.wait(); }),
            "incremental: found 2 edges with ids that are no vertices, expected ids below 100");
  on_gpu.wait();  // it is reported once
  EXPECT_EQ(on_gpu.count(), 98u);
  const auto answers = on_gpu.connected(edges{{1, 2}, {3, 100}, {200, 200}, {100, 101}});
  EXPECT_TRUE(answers[0]);
  EXPECT_FALSE(answers[1]);
  EXPECT_TRUE(answers[2]);
  EXPECT_FALSE(answers[3]);
}

TEST(incremental_on_gpu, memory_that_ends_is_a_resource_error) {
  COPSE_NEEDS_GPU();
  EXPECT_THROW((incremental{{.vertices = 1000000}, {.device = "cuda", .gpu_memory = 100000}}), resource_error);
}

/// Half of the operations ask. Some ids are those of no vertex.
struct resident_mix {
  edges pairs, inserts;
  std::vector<operation> kinds;
};
resident_mix random_mix(id vertices, std::size_t size, std::uint32_t seed) {
  std::mt19937 random{seed};
  resident_mix mix{random_edges(vertices, size, seed + 1), {}, std::vector<operation>(size)};
  for (std::size_t i = 0; i < size; ++i) {
    if (random() % 2 == 0) {
      mix.kinds[i] = operation::query;
      if (random() % 64 == 0) mix.pairs[i].u = vertices + 3;
    } else {
      mix.inserts.push_back(mix.pairs[i]);
    }
  }
  return mix;
}

/// Batches of `sizes` on the GPU, by `variant`, against structures on the CPU.
void expect_mixed_right(const std::string& variant, id vertices, const std::vector<std::size_t>& sizes) {
  for (const auto how : {mixing::phased, mixing::concurrent}) {
    if (incremental_refusal(variant, how)) continue;
    incremental on_gpu = declared_on_gpu(vertices, variant);
    incremental before{{.vertices = vertices}}, after{{.vertices = vertices}};
    for (const std::size_t size : sizes) {
      const auto mix = random_mix(vertices, size, static_cast<std::uint32_t>(size));
      std::vector<operation> whole_words = mix.kinds;
      whole_words.resize((size + 3) / 4 * 4);
      const auto pairs = copy_of(mix.pairs);
      const words kinds{std::span<const operation>{whole_words}}, room{2 * ((size + 63) / 64)};
      const auto answers = answers_in(room);
      ASSERT_EQ(cudaMemset(answers.data(), 0xff, 8 * answers.size()), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // another stream than the structure's
      on_gpu.apply_async(edges_in(pairs), {kinds.of<operation>().data(), size}, answers, how);
      on_gpu.wait();
      after.insert(mix.inserts);
      const auto latest = after.connected(mix.pairs);
      const auto earliest = how == mixing::phased ? after.connected(mix.pairs) : before.connected(mix.pairs);
      const auto found = words_of(answers);
      for (std::size_t i = 0; i < size; ++i) {
        const bool yes = (found[i / 64] >> (i % 64) & 1) != 0, asks = mix.kinds[i] == operation::query;
        ASSERT_TRUE(asks ? earliest[i] <= yes && yes <= latest[i] : !yes)
            << variant << (how == mixing::phased ? ", phased" : ", concurrent") << ", operation " << i << " of " << size << ": "
            << mix.pairs[i].u << " " << mix.pairs[i].v;
      }
      if (size % 64 != 0) {
        ASSERT_EQ(found.back() >> (size % 64), 0u);
      }
      before.insert(mix.inserts);
      expect_same(on_gpu, after, variant + ", " + std::to_string(size));
    }
  }
}

class every_gpu_rule : public ::testing::TestWithParam<variant_info> {};

TEST_P(every_gpu_rule, has_right_answers_in_resident_mixed_batches) {
  COPSE_NEEDS_GPU();
  expect_mixed_right(GetParam().name, 50000, {33, 5000, 40000, 100001});
}
TEST_P(every_gpu_rule, has_the_labels_of_the_cpu_after_host_batches) {
  COPSE_NEEDS_GPU();
  constexpr id n = 100000;
  const auto all = random_edges(n, 150000, 1);
  incremental on_gpu = declared_on_gpu(n, GetParam().name), growing{{.variant = GetParam().name}};
  incremental on_cpu{{.vertices = n}};
  for (const std::size_t size : {std::size_t{10}, std::size_t{70000}, all.size()}) {
    on_gpu.insert_async(std::span{all}.first(size));
    growing.insert(std::span{all}.first(size));
    on_cpu.insert(std::span{all}.first(size));
    expect_same(on_gpu, on_cpu, GetParam().name + ", " + std::to_string(size));
  }
  incremental undeclared;
  undeclared.insert(all);
  expect_same(growing, undeclared, GetParam().name + ", growing");
}

TEST_P(every_gpu_rule, leaves_the_labels_of_the_cpu_on_the_gpu) {
  COPSE_NEEDS_GPU();
  constexpr id n = 5000;
  const auto list = random_edges(n, 4000, 14);
  incremental on_gpu = declared_on_gpu(n, GetParam().name);
  incremental on_cpu{{.vertices = n}};
  for (const std::size_t count : {std::size_t{0}, std::size_t{1000}, list.size()}) {
    on_gpu.insert_async(std::span{list}.first(count));
    on_cpu.insert(std::span{list}.first(count));
    const words labels{n};
    on_gpu.labels_async(labels.span());
    on_gpu.wait();
    const auto expected = on_cpu.labels();
    EXPECT_TRUE(std::ranges::equal(labels.on_host(nullptr), std::get<buffer<id>>(expected.labels()))) << count;
    EXPECT_THROW(on_gpu.labels_async({labels.data(), n - 1}), usage_error);
  }
}

std::vector<variant_info> rules_of_cuda() {
  std::vector<variant_info> found;
  for (const auto& variant : variants(problem_kind::incremental)) {
    if (variant.backend == "cuda") found.push_back(variant);
  }
  return found;
}
INSTANTIATE_TEST_SUITE_P(gpu, every_gpu_rule, ::testing::ValuesIn(rules_of_cuda()), [](const auto& tested) {
  std::string name = tested.param.name;
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(incremental_on_gpu, mixed_batches_go_past_the_giant) {
  COPSE_NEEDS_GPU();
  expect_mixed_right("cuda.none.fast", 200000, {3000000, 100, 2500001});
  expect_mixed_right("cuda.none.fast", 1500000, {7000000});
}

TEST(incremental_on_gpu, takes_resident_batches_of_integers_only) {
  COPSE_NEEDS_GPU();
  const std::vector<std::string> from{"ann"}, to{"bob"};
  incremental strings{{}, {.device = "cuda"}};
  strings.insert({from, to});
  EXPECT_THROW(strings.insert_async(edges{{0, 1}}), usage_error);
  EXPECT_TRUE(strings.connected("ann", "bob"));
  EXPECT_THROW((incremental{{.variant = "cuda.none.rem"}}), usage_error);
}

}  // namespace
}  // namespace copse::test
