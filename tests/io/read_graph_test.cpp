// The collector: whatever ids come, from however many workers, the graph, the names and the order of the edges that come
// out are the same.
#include "io/binary_harness.hpp"
#include "io/collect.hpp"

#include <map>
#include <random>
#include <set>
#include <thread>

namespace {

using namespace copse::testing;
using copse::vertex_names;
using copse::io::collecting_sink;
using copse::io::named_edge;
using edges = std::vector<copse::edge<std::uint64_t>>;

/// The edges of a list as they stand there.
arcs listed(const copse::graph& g) {
  arcs all;
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.edges; }) {
          for (const auto& e : view.edges) all.emplace_back(e.u, e.v);
        }
      },
      g.view());
  return all;
}

/// Hands `all` out to `workers` at once, in blocks of `batch`.
copse::graph collect(const edges& all, unsigned workers, std::size_t batch, std::optional<std::uint64_t> vertices = {},
                     std::pmr::memory_resource* memory = copse::host_memory()) {
  const copse::io::read_request asked{{}, {.threads = workers, .memory = memory}};
  collecting_sink sink{asked};
  sink.begin({.vertices = vertices, .edges = {}, .workers = workers, .named = false});
  std::vector<std::exception_ptr> faults(workers);
  {
    std::vector<std::jthread> crew;
    for (unsigned worker = 0; worker < workers; ++worker) {
      crew.emplace_back([&, worker] {
        try {
          for (std::size_t at = worker * batch; at < all.size(); at += workers * batch) {
            sink.begin_block(worker, at / batch);
            sink.edges(worker, {.ids = std::span{all}.subspan(at, std::min(batch, all.size() - at))});
          }
        } catch (...) {
          faults[worker] = std::current_exception();
        }
      });
    }
  }
  for (const auto& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
  sink.finish();
  return std::move(sink).take();
}

/// By the definition: names ascending, edges by their places there.
void expect_collected(const copse::graph& g, const edges& all) {
  std::set<std::uint64_t> names;
  for (const auto& e : all) names.insert({e.u, e.v});
  std::map<std::uint64_t, std::uint64_t> number;
  for (const std::uint64_t name : names) number.emplace(name, number.size());
  ASSERT_EQ(g.vertices(), names.size());
  const bool identity = names.empty() || *names.rbegin() == names.size() - 1;
  ASSERT_EQ(g.names().what(), identity ? vertex_names::kind::identity : vertex_names::kind::integers);
  ASSERT_EQ(g.names().size(), names.size());
  for (const auto& [name, i] : number) ASSERT_EQ(g.names().integer(i), name);
  arcs expected;
  for (const auto& e : all) expected.emplace_back(number[e.u], number[e.v]);
  EXPECT_EQ(listed(g), expected);
  EXPECT_EQ(g.shape().index(), 3u);  // 32-bit ids, whatever the names
}

edges random_edges(std::uint64_t bound, std::size_t count, std::uint64_t factor = 1) {
  std::mt19937_64 random{bound + count};
  edges all(count);
  for (auto& e : all) e = {random() % bound * factor, random() % bound * factor};
  return all;
}

class collect_workers : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(threads, collect_workers, testing::Values(1u, 2u, 7u));

TEST_P(collect_workers, dense_ids) { expect_collected(collect(random_edges(300, 20'000), GetParam(), 100), random_edges(300, 20'000)); }
TEST_P(collect_workers, ids_with_gaps) {
  const auto all = random_edges(50'000, 20'000, 3);
  expect_collected(collect(all, GetParam(), 64), all);
}
TEST_P(collect_workers, sparse_ids) {
  const auto all = random_edges(9000, 20'000, 0x1'0000'0001);
  expect_collected(collect(all, GetParam(), 64), all);
}
TEST_P(collect_workers, sparse_ids_with_the_largest_of_all) {
  auto all = random_edges(UINT64_MAX, 3000);
  all[100].u = UINT64_MAX;
  all[2000] = {UINT64_MAX, UINT64_MAX - 1};
  all[2001] = {UINT32_MAX, UINT32_MAX - 1};
  expect_collected(collect(all, GetParam(), 10), all);
}
TEST_P(collect_workers, more_edges_than_a_chunk) {
  const auto all = random_edges(1000, 300'000);
  expect_collected(collect(all, GetParam(), 1000), all);
}
TEST_P(collect_workers, declared_vertices_are_kept) {
  const edges all{{3, 1}, {1, 1}};
  const copse::graph g = collect(all, GetParam(), 1, 6);
  EXPECT_EQ(g.vertices(), 6u);
  EXPECT_EQ(g.names().what(), vertex_names::kind::identity);
  EXPECT_EQ(arcs_of(g), (arcs{{1, 1}, {3, 1}}));
}
TEST_P(collect_workers, many_declared_vertices_take_wide_ids) {
  const copse::graph g = collect({{5'000'000'000, 1}}, GetParam(), 1, 6'000'000'000);
  EXPECT_EQ(g.vertices(), 6'000'000'000u);
  EXPECT_EQ(arcs_of(g), (arcs{{5'000'000'000, 1}}));
}
TEST_P(collect_workers, nothing_at_all) {
  EXPECT_EQ(collect({}, GetParam(), 1).vertices(), 0u);
  EXPECT_EQ(collect({}, GetParam(), 1, 5).vertices(), 5u);
}

// What a program passes on becomes the graph that a file of the same edges is read as.
TEST(graph_sink, keeps_edges_of_a_program_with_their_weights) {
  copse::io::graph_sink sink{{.weights = true}};
  EXPECT_TRUE(sink.wishes().weights);
  copse::io::source_facts facts;
  facts.named = true;
  sink.begin(facts);
  const std::vector<named_edge> first{{"b", "c"}, {"c", "a"}}, second{{"d", "b"}};
  const std::vector<double> weights{.5, -1, 7};
  const std::vector<std::string_view> alone{"aa"};
  sink.edges(0, {.names = first, .weights = std::span{weights}.first(2)});
  sink.vertices(0, {.names = alone});
  sink.edges(0, {.names = second, .weights = std::span{weights}.last(1)});
  sink.finish();
  const copse::graph g = sink.take_graph();
  EXPECT_EQ(g.names().size(), 5u);
  EXPECT_EQ(g.names().string(1), "aa");
  EXPECT_EQ(listed(g), (arcs{{2, 3}, {3, 0}, {4, 2}}));
  const auto kept = sink.take_weights();
  EXPECT_TRUE(std::ranges::equal(kept, weights));
}

TEST_P(collect_workers, strings_are_numbered_by_their_bytes) {
  std::vector<std::string> text;
  std::mt19937_64 random{3};
  for (int i = 0; i < 8000; ++i) text.push_back(std::string(random() % 40, 'a') + std::to_string(random() % 2000));
  const copse::io::read_request asked{{}, {.threads = GetParam()}};
  collecting_sink sink{asked};
  sink.begin({.vertices = {}, .edges = {}, .workers = GetParam(), .named = true});
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const named_edge e{text[i], text[i + 1]};
    const auto worker = static_cast<unsigned>(i / 2 % GetParam());
    sink.begin_block(worker, i / 2);
    sink.edges(worker, {.names = {&e, 1}});
  }
  sink.finish();
  const copse::graph g = std::move(sink).take();
  const std::set<std::string> names{text.begin(), text.end()};
  ASSERT_EQ(g.names().what(), vertex_names::kind::strings);
  ASSERT_EQ(g.vertices(), names.size());
  std::uint64_t i = 0;
  for (const std::string& name : names) ASSERT_EQ(g.names().string(i++), name);
  arcs expected;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    expected.emplace_back(*g.names().find(std::string_view{text[at]}), *g.names().find(std::string_view{text[at + 1]}));
  }
  EXPECT_EQ(listed(g), expected);
}

TEST(collect, failing_allocations_leave_nothing_behind) {
  for (const edges& all : {random_edges(100, 9000), random_edges(100'000, 9000, 3), random_edges(9000, 9000, 0x1'0000'0001)}) {
    const auto failures = copse::test::failures_of([&](auto* memory) { const copse::graph g = collect(all, 2, 100, {}, memory); });
    EXPECT_GE(failures, 5u);
  }
}

TEST(collect, memory_stays_near_twice_the_edges) {
  copse::tracked_memory memory;
  const auto all = random_edges(100'000, 4'000'000);
  const copse::graph g = collect(all, 1, 1000, {}, &memory);
  EXPECT_LT(memory.peak_bytes(), 5 * all.size() * sizeof(copse::edge<std::uint32_t>) / 2);
}

TEST(read_graph, edge_lists_in_text) {
  EXPECT_EQ(arcs_of(graph_of("a.el", "0 1\n2 1\n")), (arcs{{0, 1}, {2, 1}}));
  const copse::graph gaps = graph_of("a.csv", "u,v\n10,700\n5,10\n");
  EXPECT_EQ(gaps.vertices(), 3u);
  EXPECT_EQ(gaps.names().integer(2), 700u);
  EXPECT_EQ(arcs_of(gaps), (arcs{{0, 1}, {1, 2}}));
  const copse::graph strings = graph_of("a.tsv", "b\ta\nc\tb\n");
  ASSERT_EQ(strings.names().what(), vertex_names::kind::strings);
  EXPECT_EQ(strings.names().string(0), "a");
  EXPECT_EQ(arcs_of(strings), (arcs{{1, 0}, {2, 1}}));
  EXPECT_EQ(graph_of("a.txt", "").vertices(), 0u);
}

TEST(read_graph, matrix_market_declares_its_vertices) {
  const copse::graph g = graph_of("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n2 2\n");
  EXPECT_EQ(g.vertices(), 4u);
  EXPECT_EQ(arcs_of(g), (arcs{{0, 1}, {1, 1}}));
}

/// Blocks of a few bytes and more workers than cores: those that came out of turn would show.
TEST(read_graph, edges_are_in_file_order_whatever_the_threads) {
  constexpr std::uint64_t n = 5000;
  std::string list;
  std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n5000 5000 5000\n";
  std::string dimacs = "p sp 5000 5000\n";
  std::string pairs;
  std::string names;
  arcs expected;
  for (std::uint64_t u = n; u-- > 0;) {
    const std::uint64_t v = u * 7 % n;
    expected.emplace_back(u, v);
    const std::string line = std::to_string(u + 1) + ' ' + std::to_string(v + 1) + '\n';
    list += std::to_string(u) + ' ' + std::to_string(v) + '\n';
    matrix += line;
    dimacs += "a " + line;
    names += 'x' + std::to_string(10'000 + u) + " x" + std::to_string(10'000 + v) + '\n';
    for (const auto id : {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v)}) {
      pairs.append(reinterpret_cast<const char*>(&id), sizeof id);
    }
  }
  copse::io::read_options options;
  options.block_bytes = 16;
  const copse::execution on{.threads = 7};
  EXPECT_EQ(listed(graph_of("a.el", list, options, on)), expected);
  EXPECT_EQ(listed(graph_of("a.txt", names, options, on)), expected);
  EXPECT_EQ(listed(graph_of("a.mtx", matrix, options, on)), expected);
  EXPECT_EQ(listed(graph_of("a.gr", dimacs, options, on)), expected);
  EXPECT_EQ(listed(graph_of("a.coo", pairs, options, on)), expected);

  const temporary_folder folder;
  const std::size_t half = list.find('\n', list.size() / 2) + 1;
  write_bytes(folder / "first.el", std::string_view{list}.substr(0, half));
  write_bytes(folder / "second.el", std::string_view{list}.substr(half));
  const copse::io::read_request asked{options, on};
  collecting_sink sink{asked};
  copse::io::parse(std::vector<std::filesystem::path>{folder / "first.el", folder / "second.el"}, options, sink, on);
  EXPECT_EQ(listed(std::move(sink).take()), expected);
}

TEST(read_graph, rows_stay_rows) { EXPECT_TRUE(graph_of("a.graph", "3 2\n2\n1 3\n2\n").has_rows()); }

}  // namespace
