// A vertex keeps its place in the order, so rows stay sorted and names stay ascending. O(vertices + arcs), serial.
#include "subgraph.hpp"

#include <utility>

namespace copse::cli {
namespace {

/// The new number of every vertex of the component; of the others, no_vertex.
template <unsigned_index Id>
struct numbering {
  buffer<Id> number;
  Id count = 0;
};

template <unsigned_index Id>
numbering<Id> number_component(std::uint64_t vertices, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory) {
  numbering<Id> result{buffer<Id>(vertices, memory)};
  for (std::uint64_t v = 0; v < vertices; ++v) result.number[v] = labels.label(v) == label ? result.count++ : no_vertex<Id>;
  return result;
}

template <unsigned_index Id>
coo<Id> part_of(const coo_view<Id>& g, const numbering<Id>& numbers, std::pmr::memory_resource* memory) {
  std::size_t kept = 0;
  for (const auto& e : g.edges) kept += numbers.number[e.u] != no_vertex<Id>;
  coo<Id> part{numbers.count, buffer<edge<Id>>(kept, memory)};
  auto* next = part.edges.data();
  for (const auto& [u, v] : g.edges) {
    if (numbers.number[u] != no_vertex<Id>) *next++ = {numbers.number[u], numbers.number[v]};
  }
  return part;
}

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> part_of(const csr_view<Id, Offset>& g, const numbering<Id>& numbers, std::pmr::memory_resource* memory) {
  std::size_t kept = 0;
  for (Id v = 0; v < g.vertices(); ++v) {
    if (numbers.number[v] != no_vertex<Id>) kept += g.row(v).size();
  }
  csr<Id, Offset> part{buffer<Offset>(std::size_t{numbers.count} + 1, memory), buffer<Id>(kept, memory), g.symmetric, g.sorted};
  Offset arc = 0;
  part.offsets[0] = 0;
  for (Id v = 0; v < g.vertices(); ++v) {
    if (numbers.number[v] == no_vertex<Id>) continue;
    for (const Id target : g.row(v)) part.targets[arc++] = numbers.number[target];
    part.offsets[std::size_t{numbers.number[v]} + 1] = arc;
  }
  return part;
}

template <unsigned_index Id>
vertex_names names_of_part(const vertex_names& names, const numbering<Id>& numbers, std::pmr::memory_resource* memory) {
  const auto each_kept = [&](auto visit) {
    for (std::uint64_t v = 0; v < numbers.number.size(); ++v) {
      if (numbers.number[v] != no_vertex<Id>) visit(v, std::uint64_t{numbers.number[v]});
    }
  };
  if (names.what() != vertex_names::kind::strings) {
    buffer<std::uint64_t> ids(numbers.count, memory);
    each_kept([&](std::uint64_t v, std::uint64_t i) { ids[i] = names.integer(v); });
    return vertex_names::integers(std::move(ids));
  }
  std::uint64_t bytes = 0;
  each_kept([&](std::uint64_t v, std::uint64_t) { bytes += names.string(v).size(); });
  buffer<char> text(bytes, memory);
  buffer<std::uint64_t> offsets(std::size_t{numbers.count} + 1, memory);
  offsets[0] = 0;
  each_kept([&](std::uint64_t v, std::uint64_t i) {
    const auto name = names.string(v);
    name.copy(text.data() + offsets[i], name.size());
    offsets[i + 1] = offsets[i] + name.size();
  });
  return vertex_names::strings(std::move(text), std::move(offsets));
}

}  // namespace

graph component_of(const graph& g, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class View>(const View& view) {
        const auto numbers = number_component<typename View::id_type>(view.vertices(), labels, label, memory);
        return graph{part_of(view, numbers, memory), names_of_part(g.names(), numbers, memory)};
      },
      g.view());
}

weighted_graph component_of(const weighted_graph& g, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory) {
  weighted_graph part{component_of(g.edges, labels, label, memory), {}};
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          buffer<double> weights{shape.edges.size(), memory};
          std::size_t kept = 0;
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            if (labels.label(shape.edges[i].u) == label) weights[kept++] = g.weights[i];
          }
          weights.shrink(kept);
          part.weights = weight_column{std::move(weights), g.weights.precision()};
        }
      },
      g.edges.shape());
  return part;
}

}  // namespace copse::cli
