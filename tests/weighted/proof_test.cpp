// The proof of weighted forests: right ones are accepted, and every way of spoiling them is refused.
#include <gtest/gtest.h>
#include <copse/verify.hpp>

#include <map>
#include <optional>

#include "support/sanitized.hpp"
#include "weighted.hpp"

namespace copse::test {
namespace {

struct weighted_edges {
  std::vector<edge<std::uint32_t>> edges;
  std::vector<double> weights;
};

weighted_edges edges_of(const weighted_set& forest) {
  weighted_edges list;
  for (const auto& [u, v, w] : forest) {
    list.edges.push_back({static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(u)});
    list.weights.push_back(w);
  }
  return list;
}

/// A wrong forest made of a right one, if the graph allows it.
struct mutation {
  std::string name;
  std::optional<weighted_edges> (*apply)(coo_view<std::uint32_t> g, const std::vector<double>& weights, weighted_edges forest,
                                         forest_goal goal);
};

/// The classes of vertices without edge `without` of the forest.
std::vector<std::uint32_t> classes_without(std::uint32_t vertices, const weighted_edges& forest, std::size_t without) {
  std::vector<std::uint32_t> classes(vertices);
  std::iota(classes.begin(), classes.end(), 0u);
  for (std::size_t i = 0; i < forest.edges.size(); ++i) {
    if (i != without) std::ranges::replace(classes, classes[forest.edges[i].u], std::uint32_t{classes[forest.edges[i].v]});
  }
  return classes;
}

/// Replaces an edge of the forest by one of the graph that joins the same two parts and is another; `worse`: of another weight.
std::optional<weighted_edges> exchanged(coo_view<std::uint32_t> g, const std::vector<double>& weights, weighted_edges forest, bool worse) {
  for (std::size_t i = forest.edges.size(); i-- > 0;) {
    const auto classes = classes_without(g.vertex_count, forest, i);
    for (std::size_t k = 0; k < g.edges.size(); ++k) {
      const auto e = g.edges[k];
      if (classes[e.u] == classes[e.v] || (weights[k] != forest.weights[i]) != worse) continue;
      if (std::minmax(e.u, e.v) == std::minmax(forest.edges[i].u, forest.edges[i].v)) continue;
      forest.edges[i] = e;
      forest.weights[i] = weights[k];
      return forest;
    }
  }
  return std::nullopt;
}

std::vector<mutation> mutations() {
  using view = coo_view<std::uint32_t>;
  using column = std::vector<double>;
  return {
      {"drops_an_edge",
       [](view, const column&, weighted_edges f, forest_goal) -> std::optional<weighted_edges> {
         if (f.edges.empty()) return std::nullopt;
         f.edges.pop_back();
         f.weights.pop_back();
         return f;
       }},
      {"doubles_an_edge",
       [](view, const column&, weighted_edges f, forest_goal) -> std::optional<weighted_edges> {
         if (f.edges.empty()) return std::nullopt;
         f.edges.push_back(f.edges.front());
         f.weights.push_back(f.weights.front());
         return f;
       }},
      {"changes_a_weight",
       [](view, const column&, weighted_edges f, forest_goal) -> std::optional<weighted_edges> {
         if (f.edges.empty()) return std::nullopt;
         f.weights.back() = 123.456;
         return f;
       }},
      {"is_not_a_number",
       [](view, const column&, weighted_edges f, forest_goal) -> std::optional<weighted_edges> {
         if (f.edges.empty()) return std::nullopt;
         f.weights.back() = std::numeric_limits<double>::quiet_NaN();
         return f;
       }},
      {"takes_a_worse_edge", [](view g, const column& w, weighted_edges f, forest_goal) { return exchanged(g, w, std::move(f), true); }},
      {"takes_an_equal_edge_that_comes_later",
       [](view g, const column& w, weighted_edges f, forest_goal) { return exchanged(g, w, std::move(f), false); }},
      {"is_of_the_other_goal",
       [](view g, const column& w, weighted_edges, forest_goal goal) -> std::optional<weighted_edges> {
         return edges_of(reference_weighted_forest(g, w, goal == forest_goal::minimum ? forest_goal::maximum : forest_goal::minimum));
       }},
  };
}

TEST(weighted_proof, accepts_the_forest_of_the_definition_and_refuses_every_mutation) {
  std::map<std::string, int> applied;
  for (const zoo_graph& animal : zoo(4)) {
    if (animal.edges.vertex_count > (sanitized ? 150 : 700)) continue;  // mutations look for their places by plain means
    const coo_view<std::uint32_t> g = animal.edges.view();
    for (const weighting& how : weightings()) {
      const auto weights = weights_for<double>(g, how);
      for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
        const auto judged = [&](const weighted_edges& forest) {
          return verify_weighted_forest(g, weights_view{std::span{weights}}, graph{make_coo(g.vertex_count, forest.edges)},
                                        weights_view{std::span{forest.weights}}, goal);
        };
        const weighted_set right = reference_weighted_forest(g, weights, goal);
        const verdict accepted = judged(edges_of(right));
        ASSERT_TRUE(accepted) << animal.name << ", " << how.name << ": " << accepted.reason;
        EXPECT_EQ(accepted.components, g.vertex_count - right.size());
        for (const mutation& m : mutations()) {
          const auto wrong = m.apply(g, weights, edges_of(right), goal);
          if (!wrong) continue;
          auto set = weighted_set{};
          for (std::size_t i = 0; i < wrong->edges.size(); ++i)
            set.emplace_back(std::min(wrong->edges[i].u, wrong->edges[i].v), std::max(wrong->edges[i].u, wrong->edges[i].v),
                             wrong->weights[i]);
          std::ranges::sort(set);
          if (set == right) continue;  // the other goal's forest may be the same one
          ++applied[m.name];
          const verdict refused = judged(*wrong);
          EXPECT_FALSE(refused) << m.name << " of " << animal.name << ", " << how.name << " was accepted";
          EXPECT_FALSE(refused.reason.empty());
        }
      }
    }
  }
  EXPECT_EQ(applied.size(), mutations().size()) << "a mutation that no graph of the zoo allows tests nothing";
}

TEST(weighted_proof, says_what_is_wrong) {
  const auto g = make_coo(3, {{0, 1}, {1, 2}, {2, 0}});
  const std::vector<double> weights{1, 2, 3};
  const auto said = [&](std::vector<edge<std::uint32_t>> edges, std::vector<double> of_forest) {
    return verify_weighted_forest(g.view(), weights_view{std::span{weights}}, graph{make_coo(3, edges)}, weights_view{std::span{of_forest}},
                                  forest_goal::minimum)
        .reason;
  };
  EXPECT_EQ(said({{0, 1}, {1, 2}}, {1, 2}), "");
  EXPECT_EQ(said({{0, 1}, {0, 2}}, {1, 3}),
            "the edge of vertices 1 and 2 comes before the forest's edge of vertices 0 and 2, which is on the path between them");
  EXPECT_EQ(said({{0, 1}, {1, 2}}, {1, 2.5}),
            "the edge of vertices 1 and 2 comes before the forest's edge of vertices 1 and 2, which is on the path between them");
  EXPECT_EQ(said({{0, 1}, {1, 2}}, {0, 2}), "the forest's edge of vertices 0 and 1 is not in the graph with that weight");
  EXPECT_EQ(said({{0, 1}}, {1}), "vertices 1 and 2 are joined by an edge, but not by the forest");
  EXPECT_EQ(said({{0, 1}, {1, 2}, {2, 0}}, {1, 2, 3}), "the forest's edge of vertices 0 and 2 closes a cycle");
}

}  // namespace
}  // namespace copse::test
