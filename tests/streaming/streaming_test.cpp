// Integer ids: whatever their density and wherever the forest has to move, the answer is the reference's.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <copse/errors.hpp>

#include "drive.hpp"
#include "support/sanitized.hpp"

namespace copse::test {
namespace {

using streaming::streaming_sink;
using random_engine = std::mt19937_64;

class streaming_ids : public ::testing::TestWithParam<unsigned> {
protected:
  [[nodiscard]] static labelling solve(const id_edges& edges, std::size_t batch = 1000,
                                       std::optional<std::uint64_t> vertices = std::nullopt) {
    streaming_sink sink{GetParam(), host_memory()};
    feed(sink, edges, GetParam(), batch, vertices);
    EXPECT_EQ(sink.edge_count(), edges.size());
    EXPECT_EQ(sink.workers(), GetParam());
    return sink.take_labelling();
  }
  static labelling expect_right(const id_edges& edges, std::size_t batch = 1000) {
    labelling labels = solve(edges, batch);
    EXPECT_EQ(integer_answer(labels), (smallest_names<std::uint64_t>(edges)));
    EXPECT_EQ(labels.names().size(), labels.slots());
    return labels;
  }
};

TEST_P(streaming_ids, no_edges) {
  EXPECT_EQ(solve({}).slots(), 0u);
  EXPECT_EQ(solve({}, 1, 0).slots(), 0u);
}

TEST_P(streaming_ids, one_loop) {
  expect_right({{0, 0}});
  expect_right({{7, 7}});
}

TEST_P(streaming_ids, loops_only) {
  expect_right(random_edges(3000, 1, [](random_engine& r) { return r() % 5000; }));
  id_edges loops;
  for (std::uint64_t v = 0; v < 3000; ++v) loops.push_back({v * 3, v * 3});
  expect_right(loops, 17);
}

TEST_P(streaming_ids, dense) {
  for (const std::size_t batch : {std::size_t{1}, std::size_t{100}, std::size_t{5000}}) {
    for (const std::uint64_t n : {10u, 1000u, 20000u}) {
      const auto labels = expect_right(random_edges(n, n + batch, [n](random_engine& r) { return r() % n; }), batch);
      EXPECT_EQ(labels.names().what(), vertex_names::kind::identity);
    }
  }
}

TEST_P(streaming_ids, dense_with_gaps) {
  const auto labels = expect_right(random_edges(20000, 5, [](random_engine& r) { return r() % 40000 * 7; }));
  EXPECT_EQ(labels.names().what(), vertex_names::kind::identity);
  EXPECT_FALSE(labels.present(1));
}

TEST_P(streaming_ids, a_long_path_in_either_direction) {
  id_edges up, down;
  for (std::uint64_t v = 0; v < 50000; ++v) up.push_back({v, v + 1});
  down.assign(up.rbegin(), up.rend());
  expect_right(up);
  expect_right(down);
}

TEST_P(streaming_ids, one_star_and_many_hands) {
  expect_right(random_edges(30000, 6, [](random_engine& r) { return r() % 2 == 0 ? 12345 : r() % 30000; }), 10);
}

// A few ids over all 32 bits: a range until the end, then names, because no array over them would be worth it.
TEST_P(streaming_ids, few_and_sparse_below_2_32) {
  const auto labels = expect_right(random_edges(1500, 7, [](random_engine& r) { return r() % 0xffffffffu; }));
  EXPECT_EQ(labels.names().what(), vertex_names::kind::integers);
}

// Enough of them to move to the hash table while the stream runs.
TEST_P(streaming_ids, many_and_sparse_below_2_32) {
  const auto labels = expect_right(random_edges(40000, 8, [](random_engine& r) { return r() % 30000 * 143165; }));
  EXPECT_EQ(labels.names().what(), vertex_names::kind::integers);
}

TEST_P(streaming_ids, around_2_32) {
  const auto near = [](random_engine& r) { return (std::uint64_t{1} << 32) - 500 + r() % 1000; };
  expect_right(random_edges(600, 9, near));
  expect_right({{0xfffffffe, 1}});
  expect_right({{0xffffffff, 1}});
  expect_right({{0xffffffff, 0xfffffffe}, {3, 0xfffffffe}, {0x100000000, 3}, {4, 4}});
}

TEST_P(streaming_ids, the_largest_ids) {
  constexpr std::uint64_t top = UINT64_MAX;
  expect_right({{top, top}});
  expect_right({{top, 0}, {top - 1, top - 2}, {5, top - 1}});
  expect_right(random_edges(30000, 10, [](random_engine& r) { return top - r() % 40000; }));
  expect_right(random_edges(30000, 11, [](random_engine& r) { return r() % 40000 * 0x9e3779b97f4a7c15u; }));
}

// The stream looks dense, then an id beyond 32 bits arrives while all workers are busy.
TEST_P(streaming_ids, moves_to_the_hash_table_midway) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    auto edges = random_edges(60000, seed, [](random_engine& r) { return r() % 50000; });
    for (std::size_t i = 30000; i < edges.size(); i += 5) edges[i].v += (std::uint64_t{1} << 32) * (i % 3);
    expect_right(edges, 64);
  }
}

// A large dense graph in random order looks sparse at first (every id on a page of its own), so it moves out and comes back.
TEST_P(streaming_ids, moves_to_the_hash_table_and_back) {
  constexpr std::uint64_t n = 14'000'000, stride = 7'919'987;  // coprime: the first third of the edges already lies all over
  id_edges edges;
  for (std::uint64_t i = 0; i < n / 2; ++i) edges.push_back({i * stride % n, (i * stride + (i % 4 == 0 ? 0 : 1)) % n});
  const auto labels = solve(edges, 3000);
  EXPECT_EQ(labels.names().what(), vertex_names::kind::identity);
  std::vector<bool> present(n), joined(n);  // joined: v with v + 1
  for (const auto [u, v] : edges) {
    present[u] = present[v] = true;
    if (v == u + 1) joined[u] = true;
    ASSERT_NE(v + 1, u) << "no edge backwards";
    ASSERT_FALSE(u == n - 1 && v == 0) << "no edge around";
  }
  std::uint64_t label = 0, wrong = 0;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (v == 0 || !joined[v - 1]) label = v;
    wrong += labels.label(v) != (present[v] ? label : no_vertex<std::uint64_t>);
  }
  EXPECT_EQ(wrong, 0u);
}

TEST_P(streaming_ids, declared_vertices_are_all_there) {
  const auto edges = random_edges(3000, 12, [](random_engine& r) { return r() % 9000; });
  const auto labels = solve(edges, 100, 10000);
  auto expected = smallest_names<std::uint64_t>(edges);
  for (std::uint64_t v = 0; v < 10000; ++v) expected.emplace(v, v);
  EXPECT_EQ(integer_answer(labels), expected);
  EXPECT_EQ(labels.slots(), 10000u);
}

TEST_P(streaming_ids, an_id_beyond_the_declared_ones_is_an_error) {
  EXPECT_THROW(static_cast<void>(solve({{1, 2}, {3, 10}}, 1, 10)), input_error);
  EXPECT_THROW(static_cast<void>(solve({{UINT64_MAX, 2}}, 1, 10)), input_error);
}

TEST_P(streaming_ids, wide_declared_forest) {
  const auto edges = random_edges(3000, 13, [](random_engine& r) { return r() % 4000; });
  streaming::declared_forest<std::uint64_t> forest{4000, GetParam(), host_memory()};
  std::atomic<std::size_t> next{0};
  on_workers(GetParam(), [&](unsigned) {
    for (std::size_t at = next.fetch_add(50); at < edges.size(); at = next.fetch_add(50)) {
      const auto part = std::span{edges}.subspan(at, 50);
      GetParam() > 1 ? forest.unite<true>(part) : forest.unite<false>(part);
    }
  });
  const auto labels = forest.take_labels(GetParam());
  const auto expected = smallest_names<std::uint64_t>(edges);
  for (std::uint64_t v = 0; v < labels.size(); ++v) EXPECT_EQ(labels[v], expected.contains(v) ? expected.at(v) : v);
}

// Without address space for the range everything is hashed. In a child, because the limit stays.
TEST_P(streaming_ids, works_without_address_space) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs more address space than this test leaves";
  const auto edges = random_edges(20000, 14, [](random_engine& r) { return r() % 20000; });
  const auto expected = smallest_names<std::uint64_t>(edges);
  const auto in_a_small_space = [&] {
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = std::uint64_t{8} << 30;
    setrlimit(RLIMIT_AS, &limit);
    const auto labels = solve(edges);
    std::exit(integer_answer(labels) == expected && labels.names().what() == vertex_names::kind::integers ? 0 : 1);
  };
  EXPECT_EXIT(in_a_small_space(), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(workers, streaming_ids, testing::Values(1u, 2u, 7u), testing::PrintToStringParamName());

}  // namespace
}  // namespace copse::test
