// Clusters of graphs in memory, against their definition.
#include <gtest/gtest.h>
#include <copse/cluster.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <support/sweep_length.hpp>
#include <support/thrown.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "reference.hpp"

namespace copse::test {
namespace {

struct edge_arrays {
  std::vector<edge<std::uint32_t>> edges;
  std::vector<double> scores;

  explicit edge_arrays(const cluster_case& of) {
    for (const auto& [u, v, score] : of.pairs) {
      edges.push_back({static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v)});
      scores.push_back(score);
    }
  }
  [[nodiscard]] cluster_result clusters(const cluster_case& of, unsigned threads) const {
    const coo_view<std::uint32_t> view{static_cast<std::uint32_t>(of.vertices), edges};
    return cluster(graph_view{view}, weights_view{std::span<const double>{scores}}, of.options(), {.threads = threads});
  }
};

void expect_as_defined(const cluster_case& of, const cluster_result& found, const std::string& what) {
  std::vector<double> thresholds = of.rules.thresholds;
  if (thresholds.empty()) thresholds.push_back(-std::numeric_limits<double>::infinity());
  ASSERT_EQ(found.answers.size(), thresholds.size()) << what;
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const reference_clusters expected = clusters_by_definition(of, thresholds[i]);
    EXPECT_EQ(found.answers[i].threshold, thresholds[i]) << what;
    EXPECT_EQ(labels_of(found.answers[i].labels), expected.labels) << what << "threshold " << thresholds[i];
    EXPECT_EQ(found.answers[i].cut_bridges, expected.cut_bridges) << what << "threshold " << thresholds[i];
    EXPECT_TRUE(found.answers[i].refused == expected.refused) << what << "threshold " << thresholds[i];
  }
}

TEST(cluster, of_random_cases_is_as_defined) {
  const std::uint64_t cases = quick() ? 500 : all_graphs() ? 100000 : 4000;
  std::mt19937_64 random{20261126};
  for (std::uint64_t number = 0; number < cases && !HasFailure(); ++number) {
    const cluster_case made = random_case(number, random);
    const edge_arrays arrays{made};
    const unsigned threads = number % 3 == 0 ? 1 : number % 3 == 1 ? 2 : 7;
    expect_as_defined(made, arrays.clusters(made, threads), "case " + std::to_string(number) + ": " + text_of(made));
  }
}

TEST(cluster, without_rules_is_components) {
  const std::vector<edge<std::uint32_t>> edges{{0, 4}, {2, 3}, {3, 2}, {1, 1}};
  const std::vector<float> scores{.5f, .25f, .75f, 1};
  const coo_view<std::uint32_t> view{6, edges};
  const auto found = cluster(graph_view{view}, weights_view{std::span<const float>{scores}});
  ASSERT_EQ(found.answers.size(), 1u);
  EXPECT_EQ(labels_of(found.answers[0].labels), labels_of(components(graph_view{view}).labels));
  EXPECT_TRUE(found.answers[0].refused.empty());
  EXPECT_EQ(found.careful_pairs, 0u);
}

TEST(cluster, of_float_scores_rounds_thresholds_once) {
  const std::vector<edge<std::uint32_t>> edges{{0, 1}, {1, 2}};
  const std::vector<float> scores{.9f, .8f};
  cluster_options options;
  options.thresholds = {.9};
  const auto found = cluster(graph_view{coo_view<std::uint32_t>{3, edges}}, weights_view{std::span<const float>{scores}}, options);
  EXPECT_EQ(labels_of(found.answers[0].labels), (std::vector<std::uint64_t>{0, 0, 2}));
}

TEST(cluster, of_symmetric_rows_is_that_of_the_list) {
  const std::vector<std::uint32_t> offsets{0, 2, 4, 6}, targets{1, 2, 0, 2, 0, 1};
  const std::vector<std::int64_t> scores{5, 1, 5, 3, 1, 3};
  const csr_view<std::uint32_t, std::uint32_t> rows{offsets, targets, symmetry::yes, true};
  const std::vector<std::uint64_t> values{7, 8, 7};
  cluster_options options;
  options.one_per.push_back({values, 1});
  const auto found = cluster(graph_view{rows}, weights_view{std::span<const std::int64_t>{scores}}, options);
  EXPECT_EQ(labels_of(found.answers[0].labels), (std::vector<std::uint64_t>{0, 0, 2}));
  const std::vector<refused_pair> refused{{1, 2, 3, cluster_constraint::one_per, 0}, {0, 2, 1, cluster_constraint::one_per, 0}};
  EXPECT_TRUE(found.answers[0].refused == refused);
  EXPECT_EQ(found.exempt, std::vector<std::uint64_t>{0});
}

TEST(cluster, of_64_bit_ids_is_as_defined) {
  std::mt19937_64 random{5};
  for (std::uint64_t number = 0; number < 300; ++number) {
    const cluster_case made = random_case(number, random);
    coo<std::uint64_t> list{made.vertices, buffer<edge<std::uint64_t>>{made.pairs.size()}};
    buffer<double> scores{made.pairs.size()};
    for (std::size_t i = 0; i < made.pairs.size(); ++i) {
      list.edges[i] = {made.pairs[i].u, made.pairs[i].v};
      scores[i] = made.pairs[i].score;
    }
    const weighted_graph held{graph{std::move(list)}, weight_column{std::move(scores)}};
    expect_as_defined(made, cluster(held, made.options(), {.threads = 2}), text_of(made));
  }
}

TEST(cluster, of_nothing_is_nothing) {
  cluster_options options;
  options.max_records = 1;
  options.cut_bridges = .5;
  options.thresholds = {.5, .2};
  const auto found = cluster(graph_view{coo_view<std::uint32_t>{}}, weights_view{std::span<const double>{}}, options);
  ASSERT_EQ(found.answers.size(), 2u);
  EXPECT_EQ(found.answers[1].labels.slots(), 0u);
}

TEST(cluster, refuses_wrong_options) {
  const std::vector<edge<std::uint32_t>> edges{{0, 1}};
  const std::vector<double> scores{1};
  const auto refusal = [&](const cluster_options& options) {
    return thrown<usage_error>([&] {
      static_cast<void>(cluster(graph_view{coo_view<std::uint32_t>{2, edges}}, weights_view{std::span<const double>{scores}}, options));
    });
  };
  const std::vector<std::uint64_t> values{1, 2}, few{1};
  const std::vector<edge<std::uint64_t>> same{{1, 1}}, beyond{{0, 2}};
  cluster_options options;
  options.max_records = 0;
  EXPECT_EQ(refusal(options), "max_records must be 1 or more, not 0");
  options = {};
  options.one_per.push_back({values, 0});
  EXPECT_EQ(refusal(options), "one_per must allow at least 1 record of a value per cluster, not 0");
  options.one_per = {{few, 1}};
  EXPECT_EQ(refusal(options), "one_per must have one value per vertex, 2, not 1");
  options = {};
  options.cannot_link = same;
  EXPECT_EQ(refusal(options), "cannot_link must hold pairs of different vertices below 2, not 1 and 1");
  options.cannot_link = beyond;
  EXPECT_EQ(refusal(options), "cannot_link must hold pairs of different vertices below 2, not 0 and 2");
  options = {};
  options.thresholds = {std::nan("")};
  EXPECT_EQ(refusal(options), "thresholds must be numbers, not NaN");
  options = {};
  options.cut_bridges = std::nan("");
  EXPECT_EQ(refusal(options), "cut_bridges must be a number, not NaN");
}

}  // namespace
}  // namespace copse::test
