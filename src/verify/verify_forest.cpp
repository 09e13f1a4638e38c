#include <copse/verify.hpp>
#include <verify/forest_proof.hpp>
#include <verify/wrong.hpp>

#include <string>
#include <utility>
#include <variant>

namespace copse {
namespace {

using proving::wrong;

// Steps 2 and 3 for one arc.
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
