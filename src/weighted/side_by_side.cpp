#include <core/parallel.hpp>
#include <graph/name_union.hpp>
#include <graph/narrowest_ids.hpp>
#include <weighted/side_by_side.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::weighted {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

/// Copies the edges and weights of one list into another, from edge `at` on; place(v) is the new position of vertex v.
template <class Id, class Place>
void put(const graph& list, const weight_column& weights, coo<Id>& edges, buffer<double>& column, std::size_t at, unsigned threads,
         Place place) {
  const auto& from = std::get<buffer<double>>(weights.held());
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          parallel_blocks(threads, shape.edges.size(), block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) edges.edges[at + i] = {place(shape.edges[i].u), place(shape.edges[i].v)};
            std::copy(from.begin() + begin, from.begin() + end, column.begin() + at + begin);
          });
        }
      },
      list.shape());
}

template <class Id>
weighted_graph finished(coo<Id> edges, vertex_names names, buffer<double> weights, weight_precision precision) {
  edges.vertex_count = static_cast<Id>(names.size());
  return {graph{std::move(edges), std::move(names)}, weight_column{std::move(weights), precision}};
}

}  // namespace

weighted_graph side_by_side(const graph& first, const weight_column& first_weights, const graph& next, const weight_column& next_weights,
                            unsigned threads, std::pmr::memory_resource* memory) {
  const vertex_names &a = first.names(), &b = next.names();
  const std::uint64_t of_first = first_weights.size(), count = of_first + next_weights.size();
  const auto precision = first_weights.precision();
  const auto join = [&]<class Id>(vertex_names names, auto place_first, auto place_next, Id) {
    coo<Id> edges{Id{0}, buffer<edge<Id>>{count, memory}};
    buffer<double> weights{count, memory};
    put(first, first_weights, edges, weights, 0, threads, place_first);
    put(next, next_weights, edges, weights, of_first, threads, place_next);
    return finished(std::move(edges), std::move(names), std::move(weights), precision);
  };
  const bool counted = a.first_id() && a.first_id() == b.first_id();
  if (counted || a.size() == 0 || b.size() == 0) {  // vertices keep their positions: names count up from the same id, or a list is empty
    const vertex_names& names = a.size() < b.size() ? b : a;
    return with_narrowest_ids(names.size(), [&]<class Id>(Id id) {
      const auto same = [](auto v) { return static_cast<Id>(v); };
      return join(names, same, same, id);
    });
  }
  return with_narrowest_ids(a.size() + b.size(), [&]<class Id>(Id id) {
    name_union<Id> both = unite_names<Id>(a, b, threads, memory);
    return join(
        std::move(both.names), [&](auto v) { return both.of_a[v]; }, [&](auto v) { return both.of_b[v]; }, id);
  });
}

weighted_graph copy_of(const graph& list, const weight_column& weights, unsigned threads, std::pmr::memory_resource* memory) {
  return with_narrowest_ids(list.vertices(), [&]<class Id>(Id) {
    coo<Id> edges{Id{0}, buffer<edge<Id>>{weights.size(), memory}};
    buffer<double> column{weights.size(), memory};
    put(list, weights, edges, column, 0, threads, [](auto v) { return static_cast<Id>(v); });
    return finished(std::move(edges), list.names(), std::move(column), weights.precision());
  });
}

}  // namespace copse::weighted
