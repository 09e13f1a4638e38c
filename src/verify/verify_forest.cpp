// The proof that a list of edges is a spanning forest of a graph:
//   1. its ends are vertices, and no edge joins vertices that earlier edges have joined, so it has no cycle;
//   2. the ends of every arc of the graph are in one tree, so its trees are at least as large as the graph's components;
//   3. every edge of it is an arc of the graph, in either direction, so its trees are at most as large.
// So its trees are the components, and it has n - k edges. For step 3 the trees are rooted: leaves are cut off again and again, and the
// only neighbour that a leaf has left becomes its parent. Then an arc is an edge of the forest exactly if one end is the parent of the
// other. For this a vertex stores only its degree and the exclusive or of its neighbours, which for a leaf is its only neighbour.
// Deliberately plain and serial; it shares no code with what it checks.
#include <verify/proof.hpp>

#include <copse/graph.hpp>
#include <copse/verify.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace copse {
namespace {

template <unsigned_index Id>
class forest_proof {
public:
  /// Keeps a reference to the names.
  forest_proof(coo_view<Id> forest, const vertex_names& names) : forest_{forest}, names_{names} {}

  /// Step 1 of the proof: returns a fault if an edge of the forest has an end that is no vertex, or closes a cycle. Also prepares the later
  /// steps. Must be called first; continue only if it finds no fault.
  std::optional<std::string> fault_in_edges() {
    const std::uint64_t n = forest_.vertices();
    trees_ = buffer<Id>(n);
    for (std::uint64_t v = 0; v < n; ++v) trees_[v] = static_cast<Id>(v);
    for (const edge<Id> e : forest_.edges) {
      if (e.u >= n || e.v >= n) {
        return "the forest joins vertices " + std::to_string(e.u) + " and " + std::to_string(e.v) + " of a graph of " + std::to_string(n);
      }
      const Id a = top(e.u), b = top(e.v);
      if (a == b) return "the forest's edge of vertices " + name(e.u) + " and " + name(e.v) + " closes a cycle";
      trees_[a < b ? b : a] = a < b ? a : b;
    }
    for (std::uint64_t v = 0; v < n; ++v) trees_[v] = top(static_cast<Id>(v));
    hang_up();
    return std::nullopt;
  }

  /// For one arc of the graph: returns false if its ends are in two trees of the forest (step 2 of the proof), and notes it if it is an
  /// edge of the forest (step 3). Precondition: both ends are vertices.
  bool agrees(std::uint64_t u, std::uint64_t v) noexcept {
    if (trees_[u] != trees_[v]) return false;
    if (parents_[u] == v) {
      states_[u] = proved;
    } else if (parents_[v] == u) {
      states_[v] = proved;
    }
    return true;
  }
  [[nodiscard]] std::string fault_of_arc(std::uint64_t u, std::uint64_t v) const {
    return "vertices " + name(u) + " and " + name(v) + " are joined by an edge, but not by the forest";
  }

  /// Step 3 of the proof, after the last arc: returns a fault if an edge of the forest was not among the arcs.
  [[nodiscard]] std::optional<std::string> fault_in_graph() const {
    for (std::uint64_t v = 0; v < forest_.vertices(); ++v) {
      if (parents_[v] != v && states_[v] != proved) {
        return "the forest's edge of vertices " + name(v) + " and " + name(parents_[v]) + " is not in the graph";
      }
    }
    return std::nullopt;
  }

private:
  static constexpr Id cut_off = no_vertex<Id>, proved = no_vertex<Id> - 1;  // too large to be degrees in a tree

  Id top(Id v) noexcept {
    while (trees_[v] != v) {
      trees_[v] = trees_[trees_[v]];  // path halving
      v = trees_[v];
    }
    return v;
  }

  // Sets the parent of every vertex. The vertex of a tree that is left last becomes its own parent.
  void hang_up() {
    const std::uint64_t n = forest_.vertices();
    parents_ = buffer<Id>(n);
    states_ = buffer<Id>(n);  // the degree of each vertex until it is cut off
    for (std::uint64_t v = 0; v < n; ++v) parents_[v] = states_[v] = 0;
    for (const edge<Id> e : forest_.edges) {
      ++states_[e.u];
      ++states_[e.v];
      parents_[e.u] ^= e.v;
      parents_[e.v] ^= e.u;
    }
    for (std::uint64_t first = 0; first < n; ++first) {
      for (Id leaf = static_cast<Id>(first); states_[leaf] == 1;) {
        const Id parent = parents_[leaf];
        states_[leaf] = cut_off;
        --states_[parent];
        parents_[parent] ^= leaf;
        leaf = parent;
      }
    }
    for (std::uint64_t v = 0; v < n; ++v) {
      if (states_[v] == 0) parents_[v] = static_cast<Id>(v);
    }
  }

  [[nodiscard]] std::string name(std::uint64_t v) const { return name_in_message(names_, v); }

  coo_view<Id> forest_;
  const vertex_names& names_;
  buffer<Id> trees_, parents_, states_;
};

using proving::wrong;

// Steps 2 and 3 of the proof for one arc of the graph: its ends must be vertices and in one tree of the forest; if it is an edge of the
// forest, that is noted.
template <class Id>
std::optional<std::string> fault_in_arc(forest_proof<Id>& steps, std::uint64_t u, std::uint64_t v, std::uint64_t n) {
  if (u >= n || v >= n) {
    return "an edge joins vertices " + std::to_string(u) + " and " + std::to_string(v) + " of a graph of " + std::to_string(n);
  }
  if (!steps.agrees(u, v)) return steps.fault_of_arc(u, v);
  return std::nullopt;
}

template <class View, class Id>
std::optional<std::string> fault_in_arcs(forest_proof<Id>& steps, const View& g) {
  const std::uint64_t n = g.vertices();
  if constexpr (requires { g.offsets; }) {
    for (std::uint64_t u = 0; u < n; ++u) {
      for (const auto v : g.row(static_cast<typename View::id_type>(u))) {
        if (auto fault = fault_in_arc(steps, u, v, n)) return fault;
      }
    }
  } else {
    for (const auto& e : g.edges) {
      if (auto fault = fault_in_arc(steps, e.u, e.v, n)) return fault;
    }
  }
  return std::nullopt;
}

template <class View, class Id>
verdict prove(const View& g, coo_view<Id> forest, const vertex_names& names) {
  const std::uint64_t n = g.vertices();
  if (forest.vertices() != n)
    return wrong("a forest of " + std::to_string(forest.vertices()) + " vertices for a graph of " + std::to_string(n));
  forest_proof<Id> steps{forest, names};
  if (auto fault = steps.fault_in_edges()) return wrong(std::move(*fault));
  if (auto fault = fault_in_arcs(steps, g)) return wrong(std::move(*fault));
  if (auto fault = steps.fault_in_graph()) return wrong(std::move(*fault));
  return {.right = true, .reason = {}, .vertices = n, .components = n - forest.edges.size()};
}

}  // namespace

verdict verify_forest(graph_view g, const graph& forest) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) {
        if constexpr (requires { shape.offsets; }) {
          return wrong("a forest of rows, expected a list of edges");
        } else {
          return std::visit([&](const auto& view) { return prove(view, shape.view(), forest.names()); }, g);
        }
      },
      forest.shape());
}

}  // namespace copse
