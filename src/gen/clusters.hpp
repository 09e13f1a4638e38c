// Many small components of random sizes, such as record matching finds. The ids are cut into runs of 64 times the largest size, and each
// run is cut into components one after the other (the last component takes the remaining ids of the run, perhaps only one). A run is a
// block: it does not depend on earlier runs.
#pragma once
#include <gen/family.hpp>
#include <gen/pairs.hpp>

#include <cstdint>

namespace copse::gen {

/// `Sizes::of(first)` draws the size of the component whose first vertex is `first`; `Shape` defines the edges of a component.
template <class Sizes, class Shape>
struct basic_cluster_edges {
  Sizes sizes;
  Shape shape;
  std::uint64_t n;

  COPSE_HOST_DEVICE std::uint64_t run() const noexcept { return 64 * sizes.largest; }
  COPSE_HOST_DEVICE std::uint64_t run_end(std::uint64_t block) const noexcept {
    return n - block * run() < run() ? n : (block + 1) * run();
  }

  COPSE_HOST_DEVICE std::uint64_t cluster_size(std::uint64_t first, std::uint64_t end) const noexcept {
    const std::uint64_t size = sizes.of(first);
    return size < end - first ? size : end - first;
  }

  COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t block) const noexcept {
    const std::uint64_t end = run_end(block);
    std::uint64_t edges = 0;
    for (std::uint64_t first = block * run(); first < end;) {
      const std::uint64_t size = cluster_size(first, end);
      edges += shape.count(size);
      first += size;
    }
    return edges;
  }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t block, edge<Id>* out) const noexcept {
    const std::uint64_t end = run_end(block);
    for (std::uint64_t first = block * run(); first < end;) {
      const std::uint64_t size = cluster_size(first, end);
      for (std::uint64_t i = 0; i < shape.count(size); ++i) *out++ = shape.template at<Id>(first, size, i);
      first += size;
    }
    return out;
  }
};

struct uniform_sizes {
  random_stream random;
  std::uint64_t largest;

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t first) const noexcept { return 2 + random.below(first, largest - 1); }
};

/// A component that is a random recursive tree: each vertex is joined to a random earlier one.
struct tree_shape {
  random_stream random;

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t size) const noexcept { return size - 1; }
  template <unsigned_index Id>
  [[nodiscard]] COPSE_HOST_DEVICE edge<Id> at(std::uint64_t first, std::uint64_t, std::uint64_t i) const noexcept {
    return {static_cast<Id>(first + i + 1), static_cast<Id>(first + random.below(first + i + 1, i + 1))};
  }
};

struct cluster_edges : basic_cluster_edges<uniform_sizes, tree_shape> {
  static constexpr parameter parameters[] = {{"n", "vertices", ""}, {"size", "vertices of the largest cluster possible, 2 to 2^32", "20"}};
  static constexpr family described{
      "clusters", "many small components of 2 to `size` vertices, each a random tree, as matched records give", by_definition, parameters};
  static amount<cluster_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_vertices);
    const std::uint64_t size = s.integer("size", 2, std::uint64_t{1} << 32);
    const cluster_edges edges{{{stream_of(s, purpose::structure), size}, {stream_of(s, purpose::edges)}, n}};
    return {edges, n, divided_up(n, edges.run())};
  }
};

/// Draws sizes from a power law, P(size >= s) = s^(1 - exponent), as the integer root of 1 / u for a uniform u. Larger sizes than `largest`
/// become `largest`.
struct power_law_sizes {
  random_stream random;
  std::uint64_t largest;
  unsigned exponent;

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t of(std::uint64_t first) const noexcept {
    const std::uint64_t inverse = ~std::uint64_t{0} / (random.word(first) | 1);
    std::uint64_t size = 1;
    while (size < largest && power(size + 1) <= inverse) ++size;
    return size;
  }

private:
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t power(std::uint64_t size) const noexcept {
    std::uint64_t product = size;
    for (unsigned i = 2; i < exponent; ++i) product *= size;
    return product;
  }
};

/// A component with all pairs as edges.
struct clique_shape {
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t size) const noexcept { return pair_count(size); }
  template <unsigned_index Id>
  [[nodiscard]] COPSE_HOST_DEVICE edge<Id> at(std::uint64_t first, std::uint64_t size, std::uint64_t i) const noexcept {
    const auto pair = pair_at<std::uint64_t>(i, size);
    return {static_cast<Id>(first + pair.u), static_cast<Id>(first + pair.v)};
  }
};

struct power_clique_edges : basic_cluster_edges<power_law_sizes, clique_shape> {
  static constexpr parameter parameters[] = {{"n", "vertices", ""},
                                             {"size", "vertices of the largest clique possible, 1 to 65536", "256"},
                                             {"exponent", "power with which the share of a size falls, 2 to 4", "3"}};
  static constexpr family described{
      "power_cliques", "disjoint cliques whose sizes follow a power law from single vertices up, as all matches of duplicates give",
      by_definition, parameters};
  static amount<power_clique_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_dense_vertices);
    const std::uint64_t size = s.integer("size", 1, 65536);
    const power_law_sizes sizes{stream_of(s, purpose::structure), size, static_cast<unsigned>(s.integer("exponent", 2, 4))};
    const power_clique_edges edges{{sizes, {}, n}};
    return {edges, n, divided_up(n, edges.run())};
  }
};

}  // namespace copse::gen
