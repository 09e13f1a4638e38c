// Cliques of one size on consecutive ids, optionally chained by an edge from the last vertex of each clique to the first vertex of the
// next. The last clique has the remaining ids.
#pragma once
#include <gen/family.hpp>
#include <gen/pairs.hpp>

#include <cstdint>

namespace copse::gen {

template <bool Chained>
struct basic_clique_edges {
  std::uint64_t n, size;

  /// The number of edges of a whole clique, with the edge to the next clique if cliques are chained. The last whole clique lacks that edge
  /// if no clique follows; it would be the last edge of all.
  COPSE_HOST_DEVICE std::uint64_t per_clique() const noexcept { return pair_count(size) + (Chained ? 1 : 0); }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t whole = n / size;
    const std::uint64_t clique = i / per_clique() < whole ? i / per_clique() : whole;
    const std::uint64_t first = clique * size, j = i - clique * per_clique();
    if (Chained && clique < whole && j + 1 == per_clique()) return {static_cast<Id>(first + size - 1), static_cast<Id>(first + size)};
    const auto pair = pair_at<std::uint64_t>(j, clique < whole ? size : n - first);
    return {static_cast<Id>(first + pair.u), static_cast<Id>(first + pair.v)};
  }

  [[nodiscard]] std::uint64_t edges() const noexcept {
    const std::uint64_t whole = n / size, rest = n % size;
    return whole * per_clique() + pair_count(rest) - (Chained && rest == 0 && whole != 0 ? 1 : 0);
  }
};

struct clique_edges : basic_clique_edges<false> {
  static constexpr parameter parameters[] = {{"n", "vertices", ""}, {"size", "vertices of each clique, 2 to 65536", "8"}};
  static constexpr family described{"cliques", "disjoint cliques of one size", by_definition, parameters};
  static amount<clique_edges> make(const spec& s) {
    const clique_edges edges{{s.integer("n", 0, most_dense_vertices), s.integer("size", 2, 65536)}};
    return {edges, edges.n, edges.edges()};
  }
};

struct clique_chain_edges : basic_clique_edges<true> {
  static constexpr parameter parameters[] = {{"n", "vertices", ""}, {"size", "vertices of each clique, 1 to 65536", "8"}};
  static constexpr family described{"clique_chain", "cliques of one size in a row, each joined to the next by one edge", by_definition,
                                    parameters};
  static amount<clique_chain_edges> make(const spec& s) {
    const clique_chain_edges edges{{s.integer("n", 0, most_dense_vertices), s.integer("size", 1, 65536)}};
    return {edges, edges.n, edges.edges()};
  }
};

}  // namespace copse::gen
