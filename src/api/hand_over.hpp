// A list of edges with weights goes on to a sink as if it were read: the edges in their order, then the vertices without one.
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace copse::api {

enum class called : std::uint8_t {
  by_name,      ///< ids are the names of the vertices
  by_position,  ///< ids are 0 .. n - 1, of a graph whose vertices were declared
};

/// The sink is one of edges and of weights. Preconditions: a list; the sink has begun, with strings where names are
/// strings, and is in a block of worker 0.
template <class Sink>
void hand_over(const graph& list, std::span<const double> weights, Sink& sink, called ids, std::pmr::memory_resource* memory) {
  constexpr std::size_t part = 1024;
  const vertex_names& names = list.names();
  buffer<bool> touched{list.vertices(), memory};
  std::fill(touched.begin(), touched.end(), false);
  const auto pass = [&]<class Edge>(Edge /*kind*/, const auto& edges, auto name, auto put) {
    std::array<Edge, part> some;
    for (std::size_t i = 0; i < edges.size(); i += part) {
      const std::size_t count = std::min(part, edges.size() - i);
      for (std::size_t k = 0; k < count; ++k) {
        const auto [u, v] = edges[i + k];
        touched[u] = touched[v] = true;
        some[k] = {name(u), name(v)};
      }
      sink.weights(0, weights.subspan(i, count));
      put(std::span<const Edge>{some.data(), count});
    }
  };
  const auto each_alone = [&](auto put) {
    for (std::uint64_t v = 0; v < touched.size(); ++v) {
      if (!touched[v]) put(v);
    }
  };
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          if (names.what() == vertex_names::kind::strings) {
            pass(
                io::named_edge{}, shape.edges, [&](std::uint64_t v) { return names.string(v); },
                [&](std::span<const io::named_edge> edges) { sink.named_edges(0, edges); });
            each_alone([&](std::uint64_t v) {
              const std::string_view name = names.string(v);
              sink.named_vertices(0, {&name, 1});
            });
          } else {
            const auto id = [&](std::uint64_t v) { return ids == called::by_position ? v : names.integer(v); };
            pass(edge<std::uint64_t>{}, shape.edges, id, [&](std::span<const edge<std::uint64_t>> edges) { sink.edges(0, edges); });
            if (ids == called::by_position) return;  // all of them were declared
            each_alone([&](std::uint64_t v) {
              const std::uint64_t name = id(v);
              sink.vertices(0, {&name, 1});
            });
          }
        }
      },
      list.shape());
}

}  // namespace copse::api
