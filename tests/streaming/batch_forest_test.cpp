// The forest that a components_sink keeps in addition to the components: edges that came, by their ids, without a cycle, one tree per
// component.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "drive.hpp"
#include "support/zoo.hpp"

namespace copse::test {
namespace {

/// The ends of the forest's edges, by name.
template <class Name, class NameOf>
std::vector<std::pair<Name, Name>> ends_of(const forest_result& found, NameOf name_of) {
  std::vector<std::pair<Name, Name>> ends;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (const auto [u, v] : shape.edges) ends.emplace_back(name_of(u), name_of(v));
        }
      },
      found.edges.shape());
  return ends;
}

/// n - k edges that connect what is connected have no cycle. `came`: all edges, by name.
template <class Name>
void expect_forest(const forest_result& found, const std::vector<std::pair<Name, Name>>& ends, std::vector<std::pair<Name, Name>> came) {
  std::ranges::sort(came);
  for (const auto& e : ends) ASSERT_TRUE(std::ranges::binary_search(came, e)) << e.first << " " << e.second << " never came";
  EXPECT_EQ(found.count(), summarise(*found.labels).components);
  EXPECT_EQ(checksum(components(found.edges).labels), checksum(*found.labels));
}

class batch_forests : public ::testing::TestWithParam<unsigned> {};

template <class Pairs>
void add_in_batches(components_sink& sink, const Pairs& edges, std::size_t batch = 1000) {
  for (std::size_t at = 0; at < edges.size(); at += batch) sink.add(std::span{edges}.subspan(at, std::min(batch, edges.size() - at)));
}

void expect_integers(const id_edges& edges, unsigned threads, std::optional<std::uint64_t> vertices = std::nullopt) {
  components_sink plain{{.vertices = vertices}, {.threads = threads}};
  components_sink keeping{{.vertices = vertices, .keep_forest = true}, {.threads = threads}};
  add_in_batches(plain, edges);
  add_in_batches(keeping, edges);
  const auto labels = plain.finish().labels;
  const auto found = keeping.finish_with_forest();
  EXPECT_EQ(checksum(*found.labels), checksum(labels));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> came;
  for (const auto [u, v] : edges) came.emplace_back(u, v);
  const auto& names = found.edges.names();
  expect_forest(found, ends_of<std::uint64_t>(found, [&names](std::uint64_t v) { return names.integer(v); }), came);
}

TEST_P(batch_forests, of_dense_ids_declared_or_not) {
  for (const auto& [name, graph] : zoo(1)) {
    SCOPED_TRACE(name);
    id_edges edges;
    for (const auto [u, v] : graph.edges) edges.push_back({u, v});
    expect_integers(edges, GetParam());
    expect_integers(edges, GetParam(), graph.vertex_count);
    if (HasFatalFailure()) return;
  }
}

TEST_P(batch_forests, of_ids_with_gaps_and_of_sparse_ones) {
  expect_integers(random_edges(20000, 4, [](std::mt19937_64& r) { return r() % 9000 * 3; }), GetParam());
  expect_integers(random_edges(20000, 5, [](std::mt19937_64& r) { return (std::uint64_t{1} << 40) + r() % 15000 * 1'000'003; }),
                  GetParam());
}

// Sparse at first, then dense: the trees move into a hash table and back, and no link is lost or kept twice.
TEST_P(batch_forests, of_ids_that_change_their_ways) {
  id_edges edges = random_edges(20000, 6, [](std::mt19937_64& r) { return r() % 14'000'000; });
  for (std::uint64_t v = 1; v < 14'000'000 / 5; ++v) edges.push_back({v - 1, v});
  expect_integers(edges, GetParam());
}

TEST_P(batch_forests, of_strings) {
  std::vector<std::pair<std::string, std::string>> came;
  for (const auto [u, v] : random_edges(20000, 7, [](std::mt19937_64& r) { return r() % 12000; })) {
    came.emplace_back(fmt::format("record {}", u), fmt::format("record {}", v));
  }
  std::vector<io::named_edge> edges;
  for (const auto& [u, v] : came) edges.push_back({u, v});
  components_sink sink{{.keep_forest = true}, {.threads = GetParam()}};
  add_in_batches(sink, edges);
  const auto found = sink.finish_with_forest();
  const auto& names = found.edges.names();
  expect_forest(found, ends_of<std::string>(found, [&names](std::uint64_t v) { return std::string{names.string(v)}; }), came);
}

INSTANTIATE_TEST_SUITE_P(streaming, batch_forests, testing::Values(1u, 3u), testing::PrintToStringParamName());

TEST(batch_forest, of_nothing_and_of_lone_vertices) {
  EXPECT_EQ(components_sink{{.keep_forest = true}}.finish_with_forest().edge_count(), 0u);
  components_sink lone{{.keep_forest = true}};
  lone.add_vertices(std::vector<std::int32_t>{3, 9});
  const auto found = lone.finish_with_forest();
  EXPECT_EQ(found.edges.vertices(), 2u);
  EXPECT_EQ(found.edges.names().integer(1), 9u);
  EXPECT_EQ(found.edge_count(), 0u);
}

TEST(batch_forest, must_be_asked_for) {
  components_sink sink;
  EXPECT_THROW(static_cast<void>(sink.finish_with_forest()), usage_error);
  EXPECT_EQ(sink.finish().labels.slots(), 0u) << "the refusal leaves the sink as it was";
}

}  // namespace
}  // namespace copse::test
