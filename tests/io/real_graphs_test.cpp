// The real graphs of shared/graphs/INDEX.md through read_graph, and round through every format that holds them: the vertices, components
// and largest component listed there come out.
#include "support/real_graphs.hpp"
#include "io/binary_harness.hpp"

#include <copse/build.hpp>
#include <copse/io.hpp>

#include <array>
#include <numeric>

namespace {

using namespace copse::testing;
using copse::graph;

struct answer {
  std::uint64_t vertices, components, largest;
  friend bool operator==(const answer&, const answer&) = default;
  friend std::ostream& operator<<(std::ostream& out, const answer& a) {
    return out << a.vertices << " vertices, " << a.components << " components, largest " << a.largest;
  }
};

answer answer_of(const graph& g) {
  std::vector<std::uint64_t> parent(g.vertices());
  std::iota(parent.begin(), parent.end(), std::uint64_t{0});
  const auto find = [&](std::uint64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [u, v] : arcs_of(g)) parent[find(u)] = find(v);
  std::vector<std::uint64_t> size(g.vertices());
  for (std::uint64_t v = 0; v < size.size(); ++v) ++size[find(v)];
  return {size.size(), size.size() - static_cast<std::uint64_t>(std::count(size.begin(), size.end(), 0u)),
          size.empty() ? 0 : *std::max_element(size.begin(), size.end())};
}

struct real_graph {
  const char* name;
  answer expected;
  std::array<unsigned, 2> columns{1, 2};
};

class real_graphs : public ::testing::TestWithParam<real_graph> {};

TEST_P(real_graphs, give_the_components_listed) {
  const auto& [name, expected, columns] = GetParam();
  const auto path = real_graphs_folder(COPSE_SOURCE_DIR) / name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  copse::io::read_options options;
  options.columns = {columns[0], columns[1]};
  if (path.extension() == ".dat") options.format = copse::io::format::csv;
  const graph g = read_graph(path, options, {.threads = 2});
  EXPECT_EQ(answer_of(g), expected);
  EXPECT_EQ(g.names().size(), g.vertices());

  const graph rows = build_csr(g);
  EXPECT_EQ(answer_of(rows), expected);
  const temporary_folder folder;
  for (const std::string round : {"a.sg", "a.egr", "a.mtx"}) {
    copse::io::write_graph(rows, folder / round);
    EXPECT_EQ(answer_of(copse::io::read_graph(folder / round)), expected) << round;
  }
}

INSTANTIATE_TEST_SUITE_P(
    shared, real_graphs,
    testing::Values(real_graph{"USA-road-d.NY.rebuilt.gr.gz", {264'346, 1, 264'346}},
                    real_graph{"pace2020_heur_183.gr", {205'957, 1, 205'957}}, real_graph{"web-NotreDame.txt.gz", {325'729, 1, 325'729}},
                    real_graph{"email-Enron.txt.gz", {36'692, 1'065, 33'696}}, real_graph{"p2p-Gnutella31.txt", {62'586, 12, 62'561}},
                    real_graph{"ca-CondMat.csv", {23'133, 567, 21'363}}, real_graph{"dblp-2010.mtx", {326'186, 48'493, 226'413}},
                    real_graph{"bips98_606.mtx", {7'135, 542, 6'594}}, real_graph{"astro-ph.graph", {16'706, 1'029, 14'845}},
                    real_graph{"wing.graph", {62'032, 1, 62'032}}, real_graph{"git_edges.csv", {37'700, 1, 37'700}},
                    real_graph{"twitterreferendum.csv", {10'884, 11, 10'864}}, real_graph{"routes.dat", {3'425, 8, 3'397}, {3, 5}},
                    real_graph{"WN18RR_train.txt", {40'714, 51, 40'586}, {1, 3}}, real_graph{"coraLarge_gt.csv", {1'811, 123, 236}}),
    [](const auto& one) { return test_name_of(one.param.name); });

}  // namespace
