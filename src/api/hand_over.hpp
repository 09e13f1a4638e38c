// A list of edges with weights goes on to a sink as if it were read: the edges in their order, then the vertices without one.
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace copse::api {

enum class called : std::uint8_t {
  by_name,      ///< ids are the names of the vertices
  by_position,  ///< ids are 0 .. n - 1, of a graph whose vertices were declared
};

/// The sink is one of edges and of weights. Preconditions: a list; the sink has begun, with strings where names are strings. Its workers
/// below `workers` bring a part each, in their order: all are in the same block.
template <class Sink>
void hand_over(const graph& list, std::span<const double> weights, Sink& sink, called ids, std::pmr::memory_resource* memory,
               unsigned workers = 1) {
  constexpr std::size_t part = 1024;
  const vertex_names& names = list.names();
  buffer<bool> touched{list.vertices(), memory};
  std::fill(touched.begin(), touched.end(), false);
  const auto touch = [&touched](std::uint64_t v) {
    const std::atomic_ref<bool> mark{touched[v]};
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  };
  const auto pass = [&]<class Edge>(Edge /*kind*/, const auto& edges, auto name, auto put) {
    on_workers(workers, [&](unsigned worker) {
      std::array<Edge, part> some;
      const std::size_t last = edges.size() * (worker + 1) / workers;
      for (std::size_t i = edges.size() * worker / workers; i < last; i += part) {
        const std::size_t count = std::min(part, last - i);
        for (std::size_t k = 0; k < count; ++k) {
          const auto [u, v] = edges[i + k];
          touch(u);
          touch(v);
          some[k] = {name(u), name(v)};
        }
        sink.weights(worker, weights.subspan(i, count));
        put(worker, std::span<const Edge>{some.data(), count});
      }
    });
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
                [&](unsigned worker, std::span<const io::named_edge> edges) { sink.named_edges(worker, edges); });
            each_alone([&](std::uint64_t v) {
              const std::string_view name = names.string(v);
              sink.named_vertices(0, {&name, 1});
            });
          } else {
            const auto id = [&](std::uint64_t v) { return ids == called::by_position ? v : names.integer(v); };
            pass(edge<std::uint64_t>{}, shape.edges, id,
                 [&](unsigned worker, std::span<const edge<std::uint64_t>> edges) { sink.edges(worker, edges); });
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
