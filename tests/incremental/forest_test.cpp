// The recorded forest: acyclic, of inserted edges only, and spanning every component.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

#include <algorithm>
#include <set>

#include "incremental/backends.hpp"
#include "support/recorded_edges.hpp"
#include "support/reference.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

/// n - k edges of `inserted` that span what they all span are a forest: with that count, no cycle is possible.
void expect_spanning(const graph& recorded, const std::vector<edge<id>>& inserted, id vertices) {
  const auto forest = recorded_edges(recorded);
  std::set<edge<id>> allowed(inserted.begin(), inserted.end());
  for (const auto e : forest) ASSERT_TRUE(allowed.contains(e)) << e.u << " " << e.v << " was never inserted";
  const auto expected = reference_labels(coo_view<id>{vertices, inserted});
  ASSERT_EQ(reference_labels(coo_view<id>{vertices, forest}), expected);
  std::size_t components = 0;
  for (id v = 0; v < vertices; ++v) components += expected[v] == v;
  EXPECT_EQ(forest.size(), vertices - components);
}

TEST(incremental_forest, spans_what_was_inserted_by_every_variant_that_records_one) {
  std::size_t tried = 0;
  for (const auto& variant : variants_that_run()) {
    const bool splices = variant.backend != "serial" && variant.splice == "splice_atomic";
    if (splices || variant.finish == "liu_tarjan" || variant.finish == "shiloach_vishkin") continue;
    ++tried;
    for (const auto& g : solved_zoo()) {
      if (g.seed != 1) continue;
      incremental live{{.variant = variant.name, .record_forest = true, .vertices = g.edges.vertex_count}, {.threads = 4}};
      const std::vector<edge<id>> edges(g.edges.edges.begin(), g.edges.edges.end());
      for (std::size_t at = 0; at < edges.size(); at += 500)
        live.insert(std::span{edges}.subspan(at, std::min<std::size_t>(500, edges.size() - at)));
      expect_spanning(live.forest(), edges, g.edges.vertex_count);
      if (HasFatalFailure()) FAIL() << variant.name << " on " << g.name;
    }
  }
  const bool gpu = std::ranges::any_of(variants_that_run(), [](const auto& variant) { return variant.backend == "cuda"; });
  const std::size_t on_gpu = gpu ? 50 - 7 - 6 : 0;
  EXPECT_EQ(tried, (52u - 7) + (50u - 7 - 6) + on_gpu);
}

TEST(incremental_forest, of_mixed_batches_spans_too) {
  for (const auto& g : solved_zoo()) {
    incremental live{{.record_forest = true, .vertices = g.edges.vertex_count}, {.threads = 4}};
    std::vector<edge<id>> batch, inserted;
    std::vector<operation> kinds;
    for (const auto e : g.edges.edges) {
      batch.insert(batch.end(), {{e.v, e.u}, e});
      kinds.insert(kinds.end(), {operation::query, operation::insert});
      inserted.push_back(e);
    }
    static_cast<void>(live.apply(batch, kinds, mixing::concurrent));
    expect_spanning(live.forest(), inserted, g.edges.vertex_count);
  }
}

TEST(incremental_forest, is_refused_where_nobody_asked_for_it) {
  EXPECT_THROW(static_cast<void>(incremental{{.vertices = 3}}.forest()), usage_error);
  EXPECT_EQ(recorded_edges((incremental{{.record_forest = true, .vertices = 3}}).forest()).size(), 0u);
}

}  // namespace
}  // namespace copse::test
