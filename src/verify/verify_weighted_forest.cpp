// The proof of a weighted forest. Its edges are united in ascending order, by size and without shortening paths. So every vertex but a root
// gets as parent another vertex, by the edge that joined their trees. Edges closer to the root come later in the order, and no path is
// longer than log n. The last edge on the path of the forest between two vertices is then the largest edge that is met on the way from both
// up to their common ancestor. No edge of the graph may come before that edge. An edge of the forest is proved when it occurs in the graph.
// Deliberately plain; it shares no code with what it checks.
#include <copse/weighted_forest.hpp>
#include <verify/proof.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

template <class Weight>
struct weighted_edge {
  std::uint64_t low, high;
  Weight weight;
};

template <class Weight>
class weighted_forest_proof {
public:
  using edge_type = weighted_edge<Weight>;

  weighted_forest_proof(std::uint64_t vertices, std::vector<edge_type> forest, forest_goal goal, const vertex_names& names)
      : vertices_{vertices}, forest_{std::move(forest)}, maximum_{goal == forest_goal::maximum}, names_{names} {}

  std::string fault_in_edges() {
    for (const edge_type& e : forest_) {
      if (e.high >= vertices_)
        return "the forest joins vertices " + std::to_string(e.low) + " and " + std::to_string(e.high) + " of a graph of " +
               std::to_string(vertices_);
      if (e.weight != e.weight) return "the forest's edge of vertices " + text(e) + " has a weight that is not a number";
    }
    std::sort(forest_.begin(), forest_.end(), [this](const edge_type& a, const edge_type& b) { return before(a, b); });
    above_.resize(vertices_);
    std::iota(above_.begin(), above_.end(), std::uint64_t{0});
    by_.assign(vertices_, forest_.size());
    proved_.assign(forest_.size(), false);
    std::vector<std::uint64_t> sizes(vertices_, 1);
    for (std::size_t i = 0; i < forest_.size(); ++i) {
      std::uint64_t a = root(forest_[i].low), b = root(forest_[i].high);
      if (a == b) return "the forest's edge of vertices " + text(forest_[i]) + " closes a cycle";
      if (sizes[a] < sizes[b]) std::swap(a, b);
      above_[b] = a;
      by_[b] = i;
      sizes[a] += sizes[b];
    }
    return {};
  }

  std::string fault_of(std::uint64_t u, std::uint64_t v, Weight weight) {
    if (u >= vertices_ || v >= vertices_)
      return "an edge joins vertices " + std::to_string(u) + " and " + std::to_string(v) + " of a graph of " + std::to_string(vertices_);
    const edge_type e{std::min(u, v), std::max(u, v), weight};
    if (weight != weight) return "the edge of vertices " + text(e) + " has a weight that is not a number";
    if (u == v) return {};
    // Finds the edge of the path between u and v that comes last in the ascending order: of u and v, the one whose edge to its parent comes
    // earlier moves up, until both meet.
    std::size_t last = 0;
    while (u != v) {
      if (by_[u] > by_[v]) std::swap(u, v);
      if (by_[u] == forest_.size()) return "vertices " + text(e) + " are joined by an edge, but not by the forest";
      last = by_[u];
      u = above_[u];
    }
    if (before(e, forest_[last])) {
      return "the edge of vertices " + text(e) + " comes before the forest's edge of vertices " + text(forest_[last]) +
             ", which is on the path between them";
    }
    if (!before(forest_[last], e)) proved_[last] = true;
    return {};
  }

  std::string fault_in_graph() const {
    const auto missing = std::find(proved_.begin(), proved_.end(), false);
    if (missing == proved_.end()) return {};
    return "the forest's edge of vertices " + text(forest_[static_cast<std::size_t>(missing - proved_.begin())]) +
           " is not in the graph with that weight";
  }

private:
  [[nodiscard]] bool before(const edge_type& a, const edge_type& b) const {
    if (a.weight != b.weight) return maximum_ ? a.weight > b.weight : a.weight < b.weight;
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  }
  [[nodiscard]] std::uint64_t root(std::uint64_t v) const {
    while (above_[v] != v) v = above_[v];
    return v;
  }
  [[nodiscard]] std::string text(const edge_type& e) const {
    return name_in_message(names_, e.low) + " and " + name_in_message(names_, e.high);
  }

  std::uint64_t vertices_;
  std::vector<edge_type> forest_;
  bool maximum_;
  const vertex_names& names_;
  std::vector<std::uint64_t> above_;
  std::vector<std::size_t> by_;  // the edge from each vertex to its parent; forest_.size() for a root
  std::vector<bool> proved_;
};

using proving::wrong;

/// Calls f(u, v, i) for every arc or edge until it returns a fault, and returns that fault.
template <class View, class F>
std::string first_fault(const View& g, F f) {
  if constexpr (requires { g.offsets; }) {
    for (std::uint64_t u = 0; u < g.vertices(); ++u) {
      for (std::uint64_t a = g.offsets[u]; a < g.offsets[u + 1]; ++a) {
        if (auto fault = f(u, std::uint64_t{g.targets[a]}, a); !fault.empty()) return fault;
      }
    }
  } else {
    for (std::size_t i = 0; i < g.edges.size(); ++i) {
      if (auto fault = f(std::uint64_t{g.edges[i].u}, std::uint64_t{g.edges[i].v}, i); !fault.empty()) return fault;
    }
  }
  return {};
}

template <class View, class Forest, class Weight>
verdict prove(const View& g, std::span<const Weight> weights, const Forest& forest, std::span<const Weight> forest_weights,
              forest_goal goal, const vertex_names& names) {
  const std::uint64_t n = g.vertices();
  if (forest.vertex_count != n)
    return wrong("a forest of " + std::to_string(forest.vertex_count) + " vertices for a graph of " + std::to_string(n));
  if (forest.edges.size() != forest_weights.size())
    return wrong(std::to_string(forest_weights.size()) + " weights for " + std::to_string(forest.edges.size()) + " edges of the forest");
  std::vector<weighted_edge<Weight>> edges;
  for (std::size_t i = 0; i < forest.edges.size(); ++i) {
    const std::uint64_t u = forest.edges[i].u, v = forest.edges[i].v;
    edges.push_back({std::min(u, v), std::max(u, v), forest_weights[i]});
  }
  weighted_forest_proof<Weight> steps{n, std::move(edges), goal, names};
  if (auto fault = steps.fault_in_edges(); !fault.empty()) return wrong(std::move(fault));
  auto fault = first_fault(g, [&](std::uint64_t u, std::uint64_t v, std::size_t i) { return steps.fault_of(u, v, weights[i]); });
  if (!fault.empty()) return wrong(std::move(fault));
  if (auto missing = steps.fault_in_graph(); !missing.empty()) return wrong(std::move(missing));
  return {.right = true, .reason = {}, .vertices = n, .components = n - forest.edges.size()};
}

}  // namespace

verdict verify_weighted_forest(graph_view g, weights_view weights, const graph& forest, weights_view forest_weights, forest_goal goal) {
  return std::visit(
      [&]<class Weight>(const auto& view, const auto& shape, std::span<const Weight> column) -> verdict {
        if constexpr (requires { shape.edges; }) {
          const auto* const of_forest = std::get_if<std::span<const Weight>>(&forest_weights);
          if (of_forest == nullptr) return wrong("weights of another type than the graph's");
          return prove(view, column, shape, *of_forest, goal, forest.names());
        } else {
          return wrong("a forest of rows, expected a list of edges");
        }
      },
      g, forest.shape(), weights);
}

}  // namespace copse
