// Merging: what two workers know, in one structure; associative, commutative, idempotent.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include "incremental/backends.hpp"
#include "support/labels.hpp"
#include "support/recorded_edges.hpp"
#include "support/reference.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;

TEST(merge, of_shares_of_the_edges_is_the_whole) {
  for (const auto& variant : variants_that_run()) {
    for (const auto& g : solved_zoo()) {
      if (g.seed != 1 || g.edges.edges.empty()) continue;
      const std::span<const edge<id>> all = g.edges.edges.span();
      incremental whole{{.variant = variant.name, .vertices = g.edges.vertex_count}, {.threads = 2}}, share{{}, {.threads = 1}};
      whole.insert(all.first(all.size() / 2));
      share.insert(all.subspan(all.size() / 2));
      whole.merge(share);
      whole.merge(share);
      whole.merge(whole);
      const labelling labels = whole.labels();
      for (std::size_t v = 0; v < g.labels.size(); ++v) ASSERT_EQ(labels.label(v), g.labels[v]) << variant.name << " on " << g.name;
    }
  }
}

TEST(merge, brings_vertices_that_only_the_other_has) {
  incremental a, b;
  a.insert(edges{{1, 2}});
  b.insert(edges{{2, 90}, {50, 50}});
  a.merge(b);
  EXPECT_EQ(a.vertices(), 4u);
  EXPECT_EQ(a.count(), 2u);
  EXPECT_TRUE(a.connected(1, 90));
  EXPECT_TRUE(a.contains(50));
  EXPECT_FALSE(a.contains(51));
  EXPECT_FALSE(b.contains(1)) << "the other is as it was";
}

TEST(merge, keeps_a_forest_of_real_edges) {
  incremental a{{.record_forest = true}}, b{{.record_forest = true}}, blind;
  a.insert(edges{{1, 2}, {5, 6}});
  b.insert(edges{{9, 2}, {9, 6}, {7, 7}});
  blind.insert(edges{{3, 4}});
  a.merge(b);
  EXPECT_EQ(a.vertices(), 6u);
  EXPECT_EQ(a.count(), 2u);
  const graph forest = a.forest();
  EXPECT_EQ(recorded_edges(forest).size(), 4u);
  EXPECT_EQ(reference_labels(coo_view<id>{10, recorded_edges(forest)})[6], 1u);
  EXPECT_THROW(a.merge(blind), usage_error);
  EXPECT_THROW(a.merge(incremental::from(to_labelling(std::vector<id>{0, 0}), {.record_forest = true})), usage_error);
  EXPECT_NO_THROW(a.merge(incremental{{.vertices = 20}})) << "vertices alone need no edges";
  EXPECT_EQ(a.vertices(), 20u);
  EXPECT_NO_THROW(blind.merge(a));
}

}  // namespace
}  // namespace copse::test
