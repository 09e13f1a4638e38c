// Graphs as the problems need them, the same on every machine: rows, streams of edges, weights.
#pragma once
#include <copse/copse.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse::lab {

/// The rows of a generator spec, or of a file.
inline graph rows_of(const std::string& name) {
  if (gen::is_spec(name)) return gen::generate(name);
  graph held = io::read_graph(name);
  return std::visit(
             [](const auto& shape) {
               return requires { shape.offsets; };
             },
             held.shape())
             ? std::move(held)
             : build_csr(held);
}

struct edge_stream {
  std::uint32_t vertices = 0;
  std::vector<edge<std::uint32_t>> list;
};

/// Each edge of a graph once, in the order of the rows.
inline edge_stream edges_of(const std::string& name) {
  using id = std::uint32_t;
  const graph g = rows_of(name);
  edge_stream stream;
  stream.vertices = static_cast<id>(g.vertices());
  std::visit(
      [&](const auto& shape) {
        const auto view = shape.view();
        if constexpr (requires { view.offsets; }) {
          for (id v = 0; v < view.vertices(); ++v) {
            for (auto a = view.offsets[v]; a < view.offsets[v + 1]; ++a) {
              const id u = static_cast<id>(view.targets[a]);
              if (u < v) stream.list.push_back({u, v});
            }
          }
        }
      },
      g.shape());
  return stream;
}

/// Each edge of a graph once, in random order, in either direction.
inline edge_stream shuffled_edges_of(const std::string& name) {
  using id = std::uint32_t;
  edge_stream stream = edges_of(name);
  const random_stream turns{7, 1};
  const permutation order{stream.list.size(), random_stream{7, 2}};
  std::vector<edge<id>> shuffled(stream.list.size());
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    auto e = stream.list[i];
    if ((turns.word(i) & 1) != 0) std::swap(e.u, e.v);
    shuffled[order(i)] = e;
  }
  stream.list = std::move(shuffled);
  return stream;
}

/// Random pairs of vertices, to be asked about.
inline std::vector<edge<std::uint32_t>> random_pairs(std::uint32_t vertices, std::size_t count) {
  std::vector<edge<std::uint32_t>> pairs(count);
  const random_stream ends{7, 3};
  for (std::size_t i = 0; i < count; ++i) {
    pairs[i] = {static_cast<std::uint32_t>(ends.below(2 * i, vertices)), static_cast<std::uint32_t>(ends.below(2 * i + 1, vertices))};
  }
  return pairs;
}

/// The weight of an edge depends on its ends alone, so it is the same in both rows.
constexpr std::uint32_t weight_of(std::uint64_t u, std::uint64_t v) {
  return static_cast<std::uint32_t>(1 + (mix((u < v ? u << 32 | v : v << 32 | u) + 0x9E3779B97F4A7C15u) >> 40));
}

/// One weight for each arc of rows; none for another form of graph.
inline buffer<std::uint32_t> weights_of(const graph& g) {
  buffer<std::uint32_t> weights;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.offsets; }) {
          const auto rows = shape.view();
          weights = buffer<std::uint32_t>{rows.arcs()};
          parallel_blocks(usable_threads(0), rows.vertices(), 4096, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
              for (std::uint64_t a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) weights[a] = weight_of(u, rows.targets[a]);
            }
          });
        }
      },
      g.shape());
  return weights;
}

}  // namespace copse::lab
