// The two searches, one thread's and that of many, give equal answers: on 100,000 small graphs with repeated edges and loops, on rows in
// any order, and on paths and cycles as long as memory holds frames.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <drivers/bridges/lowpoint.hpp>
#include <support/impatient.hpp>
#include <support/sweep_length.hpp>
#include <support/zoo.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "definition.hpp"

namespace copse::test {
namespace {

/// Symmetric rows of an edge list, each row in random order, with every repetition and loop.
struct shuffled_rows {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> targets;
  shuffled_rows(std::uint32_t n, const edges32& edges, zoo_detail::dice& random) {
    for (std::uint32_t v = 0; v < n; ++v) {
      for (const auto e : edges) {
        if (e.u == v) targets.push_back(e.v);
        if (e.v == v) targets.push_back(e.u);
      }
      const std::size_t first = offsets.back();
      for (std::size_t i = targets.size(); i > first + 1; --i)
        std::swap(targets[i - 1], targets[first + random.below(static_cast<std::uint32_t>(i - first))]);
      offsets.push_back(targets.size());
    }
  }
  [[nodiscard]] csr_view<std::uint32_t, std::uint64_t> view() const { return {offsets, targets, symmetry::yes}; }
};

void expect_equal(const bridges_result& one, const bridges_result& many, const std::string& what) {
  ASSERT_EQ(plain(one), plain(many)) << what;
  ASSERT_EQ(one.components, many.components) << what;
  ASSERT_EQ(one.biconnected_count, many.biconnected_count) << what;
  ASSERT_EQ(one.two_edge_connected_count, many.two_edge_connected_count) << what;
  for (std::uint64_t i = 0; i < one.positions.size(); ++i) {
    const auto end = [i](const bridges_result& r) { return std::get<coo_view<std::uint32_t>>(r.edges.view()).edges[i]; };
    ASSERT_EQ(end(one), end(many)) << what << ", bridge " << i;
  }
}

TEST(ways_to_bridges, agree_on_rows_in_any_order) {
  zoo_detail::dice random{23};
  for (unsigned round = 0; round < (quick() ? 2000u : 100000u); ++round) {
    const std::uint32_t n = 1 + random.below(12);
    edges32 edges(random.below(2 * n));
    for (auto& e : edges) e = {random.below(n), random.below(n)};
    const shuffled_rows rows{n, edges, random};
    const bool simple = random.below(2) == 1;
    const bridges_options options{.simple = simple, .vertex_blocks = true};
    const auto one = bridges(graph_view{rows.view()}, options, {.threads = 1});
    const auto many = bridges(graph_view{rows.view()}, options, {.threads = round % 2 == 0 ? 2u : 7u});
    ASSERT_EQ(one.report.variant, "lowpoint");
    ASSERT_NE(many.report.variant, "lowpoint");
    ASSERT_NO_FATAL_FAILURE(expect_equal(one, many, fmt::format("round {}", round)));
    if (round % 16 != 0) continue;
    auto expected = bridges_by_definition(n, edges, simple);
    auto found = plain(one);
    // Positions among arcs are others than those in the list.
    expected.bridges.clear();
    found.bridges.clear();
    std::ranges::sort(expected.sides);
    std::ranges::sort(found.sides);
    ASSERT_EQ(found, expected) << "round " << round;
    const verdict proved = verify_bridges(graph_view{rows.view()}, one, simple);
    ASSERT_TRUE(proved) << proved.reason << ", round " << round;
  }
}

TEST(ways_to_bridges, find_nothing_without_edges) {
  for (const std::uint32_t n : {0u, 1u, 1000u}) {
    edges32 loops;
    for (std::uint32_t v = 0; v < n; v += 3) loops.push_back({v, v});
    zoo_detail::dice random{1};
    for (const auto& edges : {edges32{}, loops}) {
      const shuffled_rows rows{n, edges, random};
      for (const unsigned threads : {1u, 3u}) {
        const auto found = bridges(graph_view{rows.view()}, {.vertex_blocks = true}, {.threads = threads});
        EXPECT_EQ(found.components, n);
        EXPECT_EQ(found.two_edge_connected_count, n);
        EXPECT_EQ(found.biconnected_count, 0u);
        EXPECT_EQ(found.biconnected.count(), 0u);
        EXPECT_EQ(found.positions.size() + found.articulation_points.size(), 0u);
        for (std::uint32_t v = 0; v < n; ++v) ASSERT_EQ(found.two_edge_connected.label(v), v);
      }
    }
  }
}

/// Blocks of two vertices, which are bridges, between larger ones in the order of all: a cycle of `size` vertices hangs on every `every`-th
/// vertex of a path.
edges32 path_with_cycles(std::uint32_t length, std::uint32_t every, std::uint32_t size, std::uint32_t& n) {
  edges32 edges;
  for (std::uint32_t v = 0; v + 1 < length; ++v) edges.push_back({v, v + 1});
  n = length;
  for (std::uint32_t v = 0; v < length; v += every) {
    for (std::uint32_t i = 1; i < size; ++i) edges.push_back({i == 1 ? v : n + i - 2, n + i - 1});
    n += size - 1;
    edges.push_back({n - 1, v});
  }
  return edges;
}

TEST(ways_to_bridges, order_bridges_and_larger_blocks_by_their_vertices) {
  for (const auto [length, every, size] : {std::array{50000u, 3u, 3u}, {50000u, 1u, 4u}, {40000u, 5000u, 5u}, {2u, 1u, 3u}}) {
    std::uint32_t n = 0;
    const edges32 edges = path_with_cycles(length, every, size, n);
    const auto list = make_coo(n, edges);
    const graph rows = build_csr(graph_view{list.view()});
    const std::uint64_t cycles = (length + every - 1) / every;
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const auto& found : {bridges(rows, {.vertex_blocks = true}, {.threads = threads}),
                                bridges(graph_view{list.view()}, {.vertex_blocks = true}, {.threads = threads})}) {
        const auto answer = plain(found);
        ASSERT_EQ(found.biconnected_count, length - 1 + cycles);
        ASSERT_EQ(answer.blocks.size(), length - 1 + cycles);
        ASSERT_EQ(found.biconnected.vertices.size(), 2 * (length - 1) + size * cycles);
        ASSERT_TRUE(std::ranges::is_sorted(answer.blocks));
        for (const auto& block : answer.blocks) ASSERT_TRUE(std::ranges::is_sorted(block));
        ASSERT_EQ(answer.bridges.size(), length - 1);
      }
    }
  }
}

TEST(ways_to_bridges, search_alike_with_positions_of_either_width) {
  zoo_detail::dice random{29};
  for (unsigned round = 0; round < 200; ++round) {
    const std::uint32_t n = 1 + random.below(40);
    edges32 edges(random.below(2 * n));
    for (auto& e : edges) e = {random.below(n), random.below(n)};
    const shuffled_rows rows{n, edges, random};
    const auto search = [&]<class Position>(Position) {
      return drivers::lowpoint_search<std::uint32_t, std::uint64_t, Position>{rows.view(), {false, true}, nullptr, host_memory()}.run();
    };
    const auto narrow = search(std::uint32_t{});
    const auto wide = search(std::uint64_t{});
    ASSERT_EQ(narrow.blocks, wide.blocks);
    ASSERT_TRUE(std::ranges::equal(narrow.labels, wide.labels));
    ASSERT_TRUE(std::ranges::equal(narrow.points, wide.points));
    ASSERT_TRUE(std::ranges::equal(narrow.named.block_of, wide.named.block_of));
    ASSERT_TRUE(std::ranges::equal(narrow.bridges, wide.bridges, [](const auto& a, const auto& b) {
      return a.position == b.position && a.parent == b.parent && a.child == b.child && a.smaller_side == b.smaller_side;
    }));
  }
}

TEST(ways_to_bridges, agree_on_the_zoo_and_on_large_graphs) {
  const auto compare = [](const graph& rows, const std::string& name) {
    const auto one = bridges(rows, {.vertex_blocks = true}, {.threads = 1});
    for (const unsigned threads : {2u, 7u})
      ASSERT_NO_FATAL_FAILURE(expect_equal(one, bridges(rows, {.vertex_blocks = true}, {.threads = threads}), name));
    const verdict proved = verify_bridges(rows.view(), one);
    ASSERT_TRUE(proved) << name << ": " << proved.reason;
  };
  for (const zoo_graph& animal : zoo(22)) {
    coo<std::uint64_t> wide{animal.edges.vertex_count, buffer<edge<std::uint64_t>>{animal.edges.edges.size()}};
    std::ranges::transform(animal.edges.edges, wide.edges.begin(), [](auto e) { return edge<std::uint64_t>{e.u, e.v}; });
    const graph wide_rows = build_csr(graph_view{wide.view()}, {.drop_duplicates = false, .drop_loops = false});
    const graph rows = build_csr(graph_view{animal.edges.view()}, {.drop_duplicates = false, .drop_loops = false});
    for (const unsigned threads : {1u, 2u}) {
      ASSERT_EQ(plain(bridges(wide_rows, {.vertex_blocks = true}, {.threads = threads})),
                plain(bridges(rows, {.vertex_blocks = true}, {.threads = 1})))
          << animal.name;
    }
    ASSERT_NO_FATAL_FAILURE(compare(rows, animal.name));
  }
  for (const char* spec : {"osm:side=200,keep=.6,shuffle=1", "rmat:scale=15,edges=4,shuffle=1", "star:n=600000,shuffle=1",
                           "er:n=100000,m=110000", "clusters:n=100000", "grid2d:rows=3,cols=50000,shuffle=1"})
    ASSERT_NO_FATAL_FAILURE(compare(build_csr(gen::generate_edges(spec)), spec));
}

TEST(ways_to_bridges, have_room_for_paths_and_cycles_of_any_length) {
  const std::uint32_t n = quick() ? 1'000'000 : 10'000'000;
  coo<std::uint32_t> list{n, buffer<edge<std::uint32_t>>{n}};
  for (std::uint32_t v = 0; v < n; ++v) list.edges[v] = {v, v + 1 == n ? 0 : v + 1};
  const graph cycle = build_csr(graph_view{list.view()});
  list.edges.shrink(n - 1);
  const graph path = build_csr(graph_view{list.view()});
  for (const unsigned threads : {1u, 7u}) {
    const auto of_cycle = bridges(cycle, {.vertex_blocks = true}, {.threads = threads});
    EXPECT_EQ(of_cycle.positions.size(), 0u);
    EXPECT_EQ(of_cycle.articulation_points.size(), 0u);
    EXPECT_EQ(of_cycle.biconnected.count(), 1u);
    EXPECT_EQ(of_cycle.biconnected.vertices.size(), n);
    EXPECT_TRUE(std::ranges::is_sorted(of_cycle.biconnected.vertices));
    EXPECT_EQ(of_cycle.two_edge_connected_count, 1u);
    const auto of_path = bridges(path, {}, {.threads = threads});
    EXPECT_EQ(of_path.positions.size(), n - 1);
    EXPECT_EQ(of_path.articulation_points.size(), n - 2);
    EXPECT_EQ(of_path.smaller_sides[n / 2 - 1], n / 2);
    EXPECT_EQ(of_path.biconnected_count, n - 1);
  }
}

TEST(ways_to_bridges, stop_when_the_observer_asks) {
  const graph rows = build_csr(gen::generate_edges("er:n=300000,m=400000"));
  for (const unsigned threads : {1u, 2u}) {
    impatient watcher{1};
    EXPECT_THROW(bridges(rows, {}, {.threads = threads, .observer = &watcher}), cancelled);
  }
}

}  // namespace
}  // namespace copse::test
