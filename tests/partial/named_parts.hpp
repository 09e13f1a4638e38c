// One graph whose vertices have names of several kinds, in parts that take its edges in turn.
#pragma once
#include <copse/graph.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "partial/pieces.hpp"

namespace copse::test {

/// The edges of any graph between the numbers of its vertices, and a loop for each vertex that has none: every vertex is in a part.
inline id_pairs edges_and_lonely_vertices(const graph& g) {
  id_pairs edges;
  std::vector<bool> met(g.vertices());
  const auto add = [&](std::uint64_t u, std::uint64_t v) {
    met[u] = met[v] = true;
    edges.push_back({u, v});
  };
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.edges; }) {
          for (const auto [u, v] : view.edges) add(u, v);
        } else {
          for (std::uint64_t u = 0; u < view.vertices(); ++u) {
            for (std::uint64_t arc = view.offsets[u]; arc < view.offsets[u + 1]; ++arc) add(u, view.targets[arc]);
          }
        }
      },
      g.view());
  for (std::uint64_t v = 0; v < met.size(); ++v) {
    if (!met[v]) edges.push_back({v, v});
  }
  return edges;
}

/// Names v0, v1, ..., whose order by bytes is another than that of the numbers. Made once, however many edges there are.
class string_table {
public:
  explicit string_table(std::uint64_t vertices) : bytes_(vertices * most_bytes) {
    for (std::uint64_t v = 0; v < vertices; ++v) {
      char* const first = bytes_.data() + bytes_used_;
      *first = 'v';
      const auto count = static_cast<std::size_t>(std::to_chars(first + 1, first + most_bytes, v).ptr - first);
      names_.emplace_back(first, count);
      bytes_used_ += count;
    }
  }
  [[nodiscard]] std::string_view operator[](std::uint64_t v) const { return names_[v]; }

private:
  static constexpr std::size_t most_bytes = 21;
  std::vector<char> bytes_;  // of fixed size: names point here
  std::size_t bytes_used_ = 0;
  std::vector<std::string_view> names_;
};

/// Edges first, first + step, ... by the names of a kind, a batch at a time.
inline partial<labelling> forest_of_every(const id_pairs& edges, std::size_t first, std::size_t step, naming kind,
                                          const string_table& strings) {
  constexpr std::size_t batch_edges = std::size_t{1} << 18;
  components_sink sink{{}, {.threads = 2}};
  const auto add = [&]<class Edge>(std::vector<Edge> batch, auto name) {
    batch.reserve(batch_edges);
    for (std::size_t i = first; i < edges.size(); i += step) {
      batch.push_back({name(edges[i].u), name(edges[i].v)});
      if (batch.size() < batch_edges && i + step < edges.size()) continue;
      sink.add(std::span<const Edge>{batch});
      batch.clear();
    }
  };
  if (kind == naming::strings) {
    add(std::vector<io::named_edge>{}, [&strings](std::uint64_t v) { return strings[v]; });
  } else {
    add(id_pairs{}, [kind](std::uint64_t v) { return integer_name(v, kind); });
  }
  return partial<labelling>{sink.finish().labels};
}

}  // namespace copse::test
