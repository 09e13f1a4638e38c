#include "weighted_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "output.hpp"

namespace copse::cli {
namespace {

template <unsigned_index Id>
struct weighted_arc {
  Id u, v;
  double weight;
  friend auto operator<=>(const weighted_arc&, const weighted_arc&) = default;
};

/// Copies a list with its weights to a vector of arcs, lets `use(arcs)` change the vector, and makes a list from it again.
template <class Use>
weighted_graph with_arcs(const weighted_graph& list, std::pmr::memory_resource* memory, Use use) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> weighted_graph {
        if constexpr (requires { shape.edges; }) {
          using id = typename Shape::id_type;
          std::pmr::vector<weighted_arc<id>> arcs{memory};
          arcs.reserve(shape.edges.size());
          for (std::size_t i = 0; i < shape.edges.size(); ++i) arcs.push_back({shape.edges[i].u, shape.edges[i].v, list.weights[i]});
          use(arcs);
          coo<id> kept{shape.vertex_count, buffer<edge<id>>{arcs.size(), memory}};
          buffer<double> weights{arcs.size(), memory};
          for (std::size_t i = 0; i < arcs.size(); ++i) {
            kept.edges[i] = {arcs[i].u, arcs[i].v};
            weights[i] = arcs[i].weight;
          }
          return {graph{std::move(kept), list.edges.names()}, weight_column{std::move(weights), list.weights.precision()}};
        } else {
          throw usage_error{"weights can be changed in a list of edges only, not in rows"};
        }
      },
      list.edges.shape());
}

template <class Arcs>
void drop_duplicates(Arcs& arcs, const vertex_names& names) {
  const auto same_ends = [](const auto& a, const auto& b) { return a.u == b.u && a.v == b.v; };
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  const auto twice = std::adjacent_find(arcs.begin(), arcs.end(), same_ends);
  if (twice == arcs.end()) return;
  throw input_error{
      fmt::format("found the edge {} {} with the weights {} and {}, expected one weight for each edge of rows (.csv and .mtx hold both)",
                  name_text(names, twice->u), name_text(names, twice->v), twice->weight, std::next(twice)->weight)};
}

}  // namespace

weighted_graph arcs_of(const weighted_graph& list, const arc_settings& settings, std::pmr::memory_resource* memory) {
  return with_arcs(list, memory, [&](auto& arcs) {
    if (settings.drop_loops) std::erase_if(arcs, [](const auto& a) { return a.u == a.v; });
    if (settings.symmetrise) {
      const std::size_t count = arcs.size();
      for (std::size_t i = 0; i < count; ++i) {
        if (arcs[i].u != arcs[i].v) arcs.push_back({arcs[i].v, arcs[i].u, arcs[i].weight});
      }
    }
    std::sort(arcs.begin(), arcs.end());
    if (settings.drop_duplicates) drop_duplicates(arcs, list.edges.names());
  });
}

weighted_graph edges_of(weighted_graph arcs, std::pmr::memory_resource* memory) {
  return with_arcs(arcs, memory, [&](auto& all) {
    std::remove_reference_t<decltype(all)> up{memory}, down{memory};
    for (const auto& a : all) {
      if (a.u < a.v) up.push_back(a);
      if (a.u > a.v) down.push_back({a.v, a.u, a.weight});
    }
    std::sort(up.begin(), up.end());
    std::sort(down.begin(), down.end());
    if (up == down) std::erase_if(all, [](const auto& a) { return a.u > a.v; });
  });
}

}  // namespace copse::cli
