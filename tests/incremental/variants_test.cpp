// Every variant on the zoo, in batches of several sizes, against the breadth-first search: labels, counts, sizes and answers.
#include <gtest/gtest.h>
#include <api/dense_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <map>
#include <span>

#include "incremental/backends.hpp"
#include "support/reference.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

std::string describe(const variant_info& variant, const solved_graph& g, unsigned threads, std::size_t batch) {
  return variant.name + ", batches of " + std::to_string(batch) + ", " + context(g, threads, "as made");
}

/// Vertices that no edge names are declared, so that the labels are those of the graph.
template <class Id>
void expect_labels_of(const variant_info& variant, const solved_graph& g, unsigned threads, std::size_t batch) {
  api::dense_incremental<Id> live(static_cast<Id>(g.edges.vertex_count), {.variant = variant.name}, {.threads = threads});
  std::vector<edge<Id>> edges;
  for (const auto [u, v] : g.edges.edges) edges.push_back({u, v});
  for (std::size_t at = 0; at < edges.size(); at += batch) {
    live.insert(std::span{edges}.subspan(at, std::min(batch, edges.size() - at)));
  }
  const labelling labels = live.labels();
  ASSERT_EQ(labels.slots(), g.labels.size());
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (std::size_t v = 0; v < g.labels.size(); ++v) {
    ASSERT_EQ(labels.label(v), g.labels[v]) << "vertex " << v << ", " << describe(variant, g, threads, batch);
    ++sizes[g.labels[v]];
  }
  EXPECT_EQ(live.count(), sizes.size()) << describe(variant, g, threads, batch);
  EXPECT_EQ(live.vertices(), g.labels.size());
  std::vector<edge<Id>> pairs;
  for (std::size_t v = 0; v < g.labels.size(); ++v) {
    EXPECT_EQ(live.size_of(static_cast<Id>(v)), sizes[g.labels[v]]);
    pairs.push_back({static_cast<Id>(v), static_cast<Id>(v * 7 % g.labels.size())});
  }
  const auto answers = live.connected(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_EQ(answers[i], g.labels[pairs[i].u] == g.labels[pairs[i].v]) << describe(variant, g, threads, batch);
  }
}

class every_variant : public ::testing::TestWithParam<variant_info> {};

TEST_P(every_variant, has_the_labels_of_a_search) {
  COPSE_NEEDS_ITS_DEVICE(GetParam());
  for (const auto& g : solved_zoo()) {
    if (GetParam().backend == "cuda" && g.seed != 1 && !all_graphs()) continue;
    for (const unsigned threads : GetParam().backend == "threads" ? thread_counts() : std::vector<unsigned>{1}) {
      for (const std::size_t batch : {std::size_t{1}, std::size_t{37}, std::size_t{1} << 20}) {
        if (batch == 1 && (threads > 2 || g.edges.edges.size() > 400)) continue;
        if (GetParam().backend == "cuda" && g.edges.edges.size() > 50 * batch) continue;  // a batch there takes some 0.1 ms
        expect_labels_of<std::uint32_t>(GetParam(), g, threads, batch);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(every_variant, works_with_wide_ids) {
  if (GetParam().backend == "cuda") {
    EXPECT_THROW((api::dense_incremental<std::uint64_t>(3, {.variant = GetParam().name})), usage_error) << "of 32 bits only";
    return;
  }
  for (const auto& g : solved_zoo()) {
    if (g.seed == 1) expect_labels_of<std::uint64_t>(GetParam(), g, 2, 100);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(incremental, every_variant,
                         testing::ValuesIn(variants(problem_kind::incremental).begin(), variants(problem_kind::incremental).end()),
                         [](const auto& tested) { return test_name(tested.param.name); });

}  // namespace
}  // namespace copse::test
