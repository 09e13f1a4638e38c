// Clusters of graphs that are too large for the definition: no constraint is broken, nothing is refused without reason, and threads do not
// matter.
#include <gtest/gtest.h>
#include <copse/cluster.hpp>
#include <support/sweep_length.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference.hpp"

namespace copse::test {
namespace {

/// A giant of half of the vertices among small clusters.
cluster_case large_case(std::uint64_t vertices, std::uint64_t pairs, std::mt19937_64& random) {
  cluster_case made;
  made.vertices = vertices;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const bool giant = i % 2 == 0;
    const std::uint64_t u = giant ? random() % (vertices / 2) : vertices / 2 + random() % (vertices / 2);
    const std::uint64_t v = giant ? random() % (vertices / 2) : std::min(vertices - 1, u + random() % 4);
    made.pairs.push_back({u, v, static_cast<double>(random() % 1000) / 1000});
  }
  made.rules.thresholds = {.2, .6};
  made.rules.max_records = 500;
  for (const std::uint64_t different : {5u, 4000u}) {
    std::vector<std::uint64_t>& values = made.values.emplace_back();
    for (std::uint64_t v = 0; v < vertices; ++v) values.push_back(random() % 10 == 0 ? value_limit::no_value : random() % different);
    made.most.push_back(different == 5 ? 40 : 1);
  }
  for (std::uint64_t i = 0; i < vertices / 10; ++i) {
    const std::uint64_t u = random() % vertices, v = random() % vertices;
    if (u != v) made.apart.push_back({u, v});
  }
  return made;
}

void expect_unbroken(const cluster_case& of, const clusters_at_threshold& answer) {
  const auto labels = labels_of(answer.labels);
  std::unordered_map<std::uint64_t, std::uint64_t> sizes;
  for (const std::uint64_t label : labels) ++sizes[label];
  for (const auto& [label, size] : sizes) EXPECT_LE(size, of.rules.max_records);
  for (const auto& [u, v] : of.apart) EXPECT_NE(labels[u], labels[v]);
  for (std::size_t i = 0; i < of.most.size(); ++i) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> counts;
    for (std::uint64_t v = 0; v < of.vertices; ++v) {
      if (of.values[i][v] != value_limit::no_value) ++counts[{labels[v], of.values[i][v]}];
    }
    for (const auto& [of_value, count] : counts) EXPECT_LE(count, of.most[i]);
  }
  // What is apart was refused, and the union of what was refused would break the constraint that is named.
  std::set<std::pair<std::uint64_t, std::uint64_t>> refused;
  for (const refused_pair& r : answer.refused) {
    EXPECT_TRUE(refused.insert({r.u, r.v}).second);
    EXPECT_NE(labels[r.u], labels[r.v]);
    if (r.constraint == cluster_constraint::max_records) {
      EXPECT_GT(sizes[labels[r.u]] + sizes[labels[r.v]], of.rules.max_records);
    }
  }
  for (const auto& [u, v, score] : of.pairs) {
    EXPECT_TRUE(score < answer.threshold || labels[u] == labels[v] || refused.contains({std::min(u, v), std::max(u, v)}));
  }
}

weighted_graph graph_of(const cluster_case& of) {
  coo<std::uint32_t> list{static_cast<std::uint32_t>(of.vertices), buffer<edge<std::uint32_t>>{of.pairs.size()}};
  buffer<double> scores{of.pairs.size()};
  for (std::size_t i = 0; i < of.pairs.size(); ++i) {
    list.edges[i] = {static_cast<std::uint32_t>(of.pairs[i].u), static_cast<std::uint32_t>(of.pairs[i].v)};
    scores[i] = of.pairs[i].score;
  }
  return {graph{std::move(list)}, weight_column{std::move(scores)}};
}

void expect_the_same(const cluster_result& found, const cluster_result& expected, const std::string& what) {
  ASSERT_EQ(found.answers.size(), expected.answers.size());
  for (std::size_t i = 0; i < found.answers.size(); ++i) {
    EXPECT_EQ(labels_of(found.answers[i].labels), labels_of(expected.answers[i].labels)) << what;
    EXPECT_TRUE(found.answers[i].refused == expected.answers[i].refused) << what;
    EXPECT_EQ(found.answers[i].cut_bridges, expected.answers[i].cut_bridges) << what;
  }
}

TEST(large_clusters, break_no_constraint_by_any_number_of_threads) {
  std::mt19937_64 random{7};
  const std::uint64_t vertices = quick() ? 4000 : 30000;
  for (const bool cut : {false, true}) {
    cluster_case made = large_case(vertices, 12 * vertices, random);  // enough for a component that all threads take together
    if (cut) made.rules.cut_bridges = .5;
    const weighted_graph held = graph_of(made);
    const auto first = cluster(held, made.options(), {.threads = 1});
    ASSERT_EQ(first.answers.size(), 2u);
    if (!cut) {
      for (const auto& answer : first.answers) expect_unbroken(made, answer);
      EXPECT_GT(first.answers[0].refused.size(), 1000u);
    }
    for (const unsigned threads : {2u, 7u})
      expect_the_same(cluster(held, made.options(), {.threads = threads}), first, std::to_string(threads) + " threads");
  }
}

TEST(large_clusters, keep_one_constraint_by_any_number_of_threads) {
  std::mt19937_64 random{8};
  const std::uint64_t vertices = 12000;
  const cluster_case all = large_case(vertices, 12 * vertices, random);
  const weighted_graph held = graph_of(all);
  std::vector<cluster_case> cases(4, all);
  for (cluster_case& made : cases) {
    made.rules.max_records = cluster_rules::no_limit;
    made.values.clear();
    made.most.clear();
    made.apart.clear();
  }
  cases[0].rules.max_records = 40;
  cases[1].apart = all.apart;
  cases[2].values = {all.values[0]};  // few values: a word for each cluster
  cases[2].most = {1};
  cases[3].values = {all.values[1]};
  cases[3].most = {1};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto first = cluster(held, cases[i].options(), {.threads = 1});
    for (const auto& answer : first.answers) expect_unbroken(cases[i], answer);
    EXPECT_GT(first.answers[0].refused.size(), 1000u) << i;
    for (const unsigned threads : {2u, 7u})
      expect_the_same(cluster(held, cases[i].options(), {.threads = threads}), first, std::to_string(i) + ", " + std::to_string(threads));
  }
}

}  // namespace
}  // namespace copse::test
