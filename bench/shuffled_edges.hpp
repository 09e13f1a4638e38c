// A graph as a stream of edges: each once, either way round, in random order; the same on every machine.
#pragma once
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace copse::bench {

struct edge_stream {
  std::uint32_t vertices = 0;
  std::vector<edge<std::uint32_t>> list;
};

/// Of a file or a generator spec; loops and repeats are dropped.
inline edge_stream shuffled_edges_of(const std::string& name) {
  using id = std::uint32_t;
  const graph g = gen::is_spec(name) ? gen::generate(name) : build_csr(read_graph(name));
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

}  // namespace copse::bench
