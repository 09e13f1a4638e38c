// Thresholds, dendrograms and cuts, against components that are found anew for each threshold.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "support/sanitized.hpp"
#include "weighted.hpp"

namespace copse::test {
namespace {

/// Smallest vertices of the components of the edges that `kept` keeps, by the definition.
template <class Kept>
std::vector<std::uint64_t> labels_where(coo_view<std::uint32_t> g, Kept kept) {
  std::vector<std::uint64_t> labels(g.vertex_count);
  std::iota(labels.begin(), labels.end(), 0u);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < g.edges.size(); ++i) {
      auto &a = labels[g.edges[i].u], &b = labels[g.edges[i].v];
      if (!kept(i) || a == b) continue;
      a = b = std::min(a, b);
      changed = true;
    }
  }
  return labels;
}

std::vector<std::uint64_t> labels_of(const labelling& found) {
  std::vector<std::uint64_t> labels;
  for (std::uint64_t v = 0; v < found.slots(); ++v) labels.push_back(found.label(v));
  return labels;
}

std::vector<std::uint64_t> sizes_of(const std::vector<std::uint64_t>& labels) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const auto label : labels) ++counts[label];
  std::vector<std::uint64_t> sizes;
  for (const auto& [label, size] : counts) sizes.push_back(size);
  std::ranges::sort(sizes);
  return sizes;
}

struct weighted_animal {
  std::string name;
  coo_view<std::uint32_t> g;
  std::vector<double> weights;
  hierarchy joined;
};

template <class Check>
void for_each_animal(std::uint64_t seed, Check check) {
  for (const zoo_graph& animal : zoo(seed)) {
    if (animal.edges.vertex_count > 1300) continue;
    for (const weighting& how : weightings()) {
      const coo_view<std::uint32_t> g = animal.edges.view();
      auto weights = weights_for<double>(g, how);
      const auto forest = weighted_forest(g, weights_view{std::span{weights}}, {.goal = forest_goal::maximum}, {.threads = 2});
      check(weighted_animal{animal.name + ", " + how.name, g, weights, hierarchy{forest.edges, forest.weights.view()}});
    }
  }
}

TEST(hierarchy, says_of_every_threshold_what_components_would) {
  for_each_animal(6, [](const weighted_animal& a) {
    std::vector<double> thresholds{0.5, -1e300, 1e300, 3};
    for (const double level : a.joined.levels(7)) thresholds.push_back(level);
    const auto curve = a.joined.curve(thresholds);
    ASSERT_EQ(curve.size(), thresholds.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const auto labels = labels_where(a.g, [&](std::size_t k) { return a.weights[k] >= thresholds[i]; });
      const auto sizes = sizes_of(labels);
      const auto rank = [&](std::uint64_t percent) {
        return sizes.empty() ? 0 : sizes[std::max<std::uint64_t>((sizes.size() * percent + 99) / 100, 1) - 1];
      };
      std::uint64_t pairs = 0;
      for (const auto size : sizes) pairs += size * (size - 1) / 2;
      const threshold_point& p = curve[i];
      ASSERT_EQ(p.threshold, thresholds[i]);
      ASSERT_EQ(p.components, sizes.size()) << a.name << " at " << thresholds[i];
      ASSERT_EQ(p.largest, sizes.empty() ? 0 : sizes.back()) << a.name;
      ASSERT_EQ(p.singletons, static_cast<std::uint64_t>(std::ranges::count(sizes, 1u))) << a.name;
      ASSERT_EQ(p.pairs, pairs) << a.name;
      ASSERT_EQ(p.median, rank(50)) << a.name;
      ASSERT_EQ(p.percentile_90, rank(90)) << a.name;
      ASSERT_EQ(p.percentile_99, rank(99)) << a.name;
      ASSERT_EQ(labels_of(a.joined.labels_at(thresholds[i])), labels) << a.name;
    }
  });
}

TEST(hierarchy, levels_are_the_distinct_weights_of_the_forest) {
  for_each_animal(7, [](const weighted_animal& a) {
    const auto all = a.joined.levels();
    EXPECT_TRUE(std::ranges::is_sorted(all, std::greater{}));
    EXPECT_EQ(std::set<double>(all.begin(), all.end()).size(), all.size());
    const auto some = a.joined.levels(3);
    EXPECT_EQ(some.size(), std::min<std::size_t>(3, all.size()));
    if (!all.empty()) {
      EXPECT_TRUE(some.front() == all.front() && some.back() == all.back());
    }
  });
}

TEST(hierarchy, linkage_joins_two_clusters_at_a_time_at_ascending_heights) {
  for_each_animal(8, [](const weighted_animal& a) {
    if (a.name.ends_with("infinite")) return;
    const auto merges = a.joined.linkage();
    const std::uint64_t n = a.g.vertex_count;
    ASSERT_EQ(merges.size(), n == 0 ? 0 : n - 1) << a.name;
    std::vector<double> sizes(n, 1);
    std::vector<bool> used(2 * n, false);
    double height = 0;
    for (const auto& m : merges) {
      ASSERT_TRUE(m.first < m.second && m.second < static_cast<double>(sizes.size())) << a.name;
      const auto first = static_cast<std::size_t>(m.first), second = static_cast<std::size_t>(m.second);
      ASSERT_FALSE(used[first] || used[second]) << a.name;
      used[first] = used[second] = true;
      ASSERT_EQ(m.size, sizes[first] + sizes[second]);
      ASSERT_GE(m.height, height);
      height = m.height;
      sizes.push_back(m.size);
    }
    if (n > 1 && a.joined.components() > 1) {
      EXPECT_THROW(static_cast<void>(a.joined.linkage(-1)), usage_error);
    }
  });
}

TEST(hierarchy, cuts_into_as_many_clusters_as_asked_for) {
  for_each_animal(9, [](const weighted_animal& a) {
    for (const std::uint64_t count :
         {a.joined.components(), (a.joined.components() + a.g.vertex_count) / 2, std::uint64_t{a.g.vertex_count}})
      EXPECT_EQ(sizes_of(labels_of(a.joined.clusters(count))).size(), count) << a.name;
    EXPECT_THROW(static_cast<void>(a.joined.clusters(a.g.vertex_count + 1)), usage_error);
  });
}

/// By the definition, from the strictest threshold to none: a component is kept if it is not too large and those that hold it are.
TEST(hierarchy, at_most_splits_what_is_too_large_by_whole_levels) {
  for_each_animal(10, [](const weighted_animal& a) {
    const auto levels = a.joined.levels(1 + a.joined.levels().size());
    if (sanitized && levels.size() > 200) return;  // every vertex is looked at once for every level
    constexpr std::array<std::uint64_t, 5> limits{1, 2, 10, 100, 5000};
    std::vector<std::uint64_t> alone(a.g.vertex_count);
    std::iota(alone.begin(), alone.end(), 0u);
    std::vector<std::vector<std::uint64_t>> labels(limits.size(), alone);
    for (const double level : levels) {
      const auto at_level = labels_of(a.joined.labels_at(level));
      std::vector<std::uint64_t> sizes(a.g.vertex_count);
      for (const auto label : at_level) ++sizes[label];
      for (std::size_t i = 0; i < limits.size(); ++i) {
        for (std::uint32_t v = 0; v < a.g.vertex_count; ++v) {
          if (sizes[at_level[v]] <= limits[i]) labels[i][v] = at_level[v];
        }
      }
    }
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const auto limited = a.joined.at_most(limits[i]);
      EXPECT_EQ(labels_of(limited.labels), labels[i]) << a.name << ", at most " << limits[i];
      EXPECT_EQ(limited.cuts.size(), sizes_of(labels[i]).size() - a.joined.components()) << a.name;
    }
  });
}

/// By the definition: two vertices come together at the weight of the weakest edge between them, and not above it.
TEST(bottlenecks, are_where_two_vertices_come_together) {
  for_each_animal(12, [](const weighted_animal& a) {
    const auto forest = weighted_forest(a.g, weights_view{std::span{a.weights}}, {.goal = forest_goal::maximum}, {.threads = 1});
    const bottlenecks weakest{a.joined};
    const auto together = labels_where(a.g, [](std::size_t) { return true; });
    zoo_detail::dice random{13};
    for (unsigned i = 0; i < 40 && a.g.vertex_count > 0; ++i) {
      const std::uint32_t u = random.below(a.g.vertex_count), v = random.below(a.g.vertex_count);
      const auto found = weakest.between(u, v);
      ASSERT_EQ(found.has_value(), u != v && together[u] == together[v]) << a.name;
      ASSERT_EQ(found, weakest.between(v, u));
      if (!found) continue;
      const double weight = forest.weights[*found];
      const auto at = a.joined.labels_at(weight);
      ASSERT_EQ(at.label(u), at.label(v)) << a.name;
      if (weight == std::numeric_limits<double>::infinity()) continue;
      const auto above = a.joined.labels_at(std::nextafter(weight, std::numeric_limits<double>::infinity()));
      ASSERT_NE(above.label(u), above.label(v)) << a.name;
    }
  });
}

}  // namespace
}  // namespace copse::test
