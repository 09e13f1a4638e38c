#include "edge_lists.hpp"

#include <algorithm>
#include <copse/errors.hpp>
#include <random>
#include <utility>
#include <variant>

namespace copse::cli {
namespace {

/// visit(u, v) for every edge of the rows once: where both directions are stored, the one from the larger vertex.
template <class View, class Visit>
void each_edge(const View& rows, Visit visit) {
  using id = typename View::id_type;
  for (id u = 0; u < rows.vertices(); ++u) {
    for (const id v : rows.row(u)) {
      if (rows.symmetric != symmetry::yes || v <= u) visit(u, v);
    }
  }
}

}  // namespace

graph list_of(const graph& rows, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> graph {
        if constexpr (requires { shape.offsets; }) {
          using id = typename Shape::id_type;
          const auto view = shape.view();
          std::size_t count = 0, next = 0;
          each_edge(view, [&](id, id) { ++count; });
          buffer<edge<id>> edges{count, memory};
          each_edge(view, [&](id u, id v) { edges[next++] = {u, v}; });
          return {coo<id>{view.vertices(), std::move(edges)}, rows.names()};
        } else {
          throw usage_error{"found a list, expected rows"};
        }
      },
      rows.shape());
}

graph shuffled(const graph& list, std::uint64_t seed, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> graph {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{"found rows, expected a list"};
        } else {
          using id = typename Shape::id_type;
          buffer<edge<id>> edges{shape.edges.size(), memory};
          std::ranges::copy(shape.edges, edges.begin());
          std::mt19937_64 random{seed};  // its words are the standard's; std::shuffle is each library's own
          for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random() % i]);
          return {coo<id>{shape.vertex_count, std::move(edges)}, list.names()};
        }
      },
      list.shape());
}

}  // namespace copse::cli
