// The oracle of spanning forests: right ones of every zoo graph are accepted in every form, and every way of spoiling them is refused.
#include <copse/verify.hpp>
#include <support/forests.hpp>
#include <support/mutations.hpp>
#include <support/zoo.hpp>

#include <gtest/gtest.h>

#include <map>

namespace copse::test {
namespace {

struct forms {
  explicit forms(const coo<std::uint32_t>& edges) : list{edges.view()}, both{rows_of(edges, true)}, one_sided{rows_of(edges, false)} {}
  [[nodiscard]] std::vector<graph_view> views() const { return {list, both.view(), one_sided.view()}; }

  coo_view<std::uint32_t> list;
  csr<std::uint32_t, std::uint64_t> both, one_sided;
};

TEST(forest_oracle, accepts_right_forests_in_every_form) {
  for (const zoo_graph& animal : zoo(1)) {
    const forms shapes{animal.edges};
    const auto right = reference_forest(animal.edges.view());
    auto turned = right;
    std::ranges::reverse(turned);
    for (auto& e : turned) std::swap(e.u, e.v);
    for (const graph_view& view : shapes.views()) {
      for (const auto& forest : {right, turned}) {
        const verdict v = verify_forest(view, forest_of(animal.edges.vertex_count, forest));
        EXPECT_TRUE(v) << animal.name << ": " << v.reason;
        EXPECT_EQ(v.vertices, animal.edges.vertex_count);
        EXPECT_EQ(v.components, animal.edges.vertex_count - right.size());
        EXPECT_TRUE(verify_forest(view, forest_of<std::uint64_t>(animal.edges.vertex_count, forest))) << animal.name;
      }
    }
  }
}

TEST(forest_oracle, refuses_every_mutation_in_every_form) {
  std::map<std::string, int> applied;
  for (const zoo_graph& animal : zoo(2)) {
    if (animal.edges.vertex_count > 700) continue;  // mutations look for their places by plain means
    const forms shapes{animal.edges};
    const auto right = reference_forest(animal.edges.view());
    for (const auto& m : forest_mutations()) {
      const auto wrong = m.apply(animal.edges.view(), right);
      if (!wrong) continue;
      ++applied[m.name];
      ASSERT_NE(*wrong, right) << m.name << " of " << animal.name << " changed nothing";
      for (const graph_view& view : shapes.views()) {
        const verdict v = verify_forest(view, forest_of(animal.edges.vertex_count, *wrong));
        EXPECT_FALSE(v) << m.name << " of " << animal.name << " was accepted";
        EXPECT_FALSE(v.reason.empty()) << m.name << " of " << animal.name;
      }
    }
  }
  EXPECT_EQ(applied.size(), forest_mutations().size()) << "a mutation that no graph of the zoo allows tests nothing";
}

/// All 2^10 lists of edges of the complete graph of five vertices, against all of a few graphs on them: the verdict is the definition.
TEST(forest_oracle, is_the_definition_on_five_vertices) {
  edges32 all;
  for (std::uint32_t u = 0; u < 5; ++u) {
    for (std::uint32_t v = u + 1; v < 5; ++v) all.push_back({u, v});
  }
  const auto subset = [&](unsigned bits) {
    edges32 chosen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((bits >> i & 1) != 0) chosen.push_back(all[i]);
    }
    return chosen;
  };
  std::size_t right = 0;
  for (const unsigned graph_bits : {0u, 1u, 37u, 0x3FFu, 0x155u, 0x2AAu, 0x0F3u, 0x381u}) {
    const edges32 edges = subset(graph_bits);
    const coo_view<std::uint32_t> g{5, edges};
    const auto labels = reference_labels(g);
    const std::set<std::uint32_t> trees(labels.begin(), labels.end());
    for (unsigned bits = 0; bits < 1024; ++bits) {
      const edges32 forest = subset(bits);
      const bool expected =
          (bits & ~graph_bits) == 0 && forest.size() == 5 - trees.size() && reference_labels(coo_view<std::uint32_t>{5, forest}) == labels;
      EXPECT_EQ(static_cast<bool>(verify_forest(g, forest_of(5u, forest))), expected) << graph_bits << ' ' << bits;
      right += expected ? 1 : 0;
    }
  }
  EXPECT_GT(right, 125u);  // of the complete graph alone 5^3
}

TEST(forest_oracle, says_what_is_wrong) {
  const edges32 edges{{0, 1}, {1, 2}, {2, 0}, {3, 4}};
  const coo_view<std::uint32_t> g{5, edges};
  const auto reason = [&](const edges32& forest) { return verify_forest(g, forest_of(5u, forest)).reason; };
  EXPECT_EQ(reason({{0, 1}, {1, 2}, {3, 4}}), "");
  EXPECT_EQ(reason({{0, 1}, {1, 2}, {2, 0}}), "the forest's edge of vertices 2 and 0 closes a cycle");
  EXPECT_EQ(reason({{0, 1}, {1, 2}}), "vertices 3 and 4 are joined by an edge, but not by the forest");
  EXPECT_EQ(reason({{0, 1}, {1, 2}, {3, 4}, {2, 3}}), "the forest's edge of vertices 2 and 3 is not in the graph");
  EXPECT_EQ(reason({{0, 5}}), "the forest joins vertices 0 and 5 of a graph of 5");
  EXPECT_EQ(verify_forest(g, forest_of(4u, {})).reason, "a forest of 4 vertices for a graph of 5");
  EXPECT_EQ(verify_forest(g, graph{rows_of(make_coo(5, {}), true)}).reason, "a forest of rows, expected a list of edges");
}

}  // namespace
}  // namespace copse::test
