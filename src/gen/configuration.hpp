// The configuration model: a random matching of the stubs (half edges) of given degrees, in which loops and repeats may occur. The last
// vertices, a given share of all, are isolated. Of the other m vertices, the first m / 2^(j (exponent - 1)) have a degree of at least least
// * 2^j for every j: a power law in steps of powers of two. Stubs are numbered by layers, one for each power, so that a stub's vertex is
// found without a table of vertices. Edge i joins stubs 2i and 2i + 1 of a random order. If the number of stubs is odd, the last stub of
// the top layer is left out.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct configuration_edges {
  static constexpr unsigned most_layers = 45;

  permutation order;
  std::uint64_t with_edges;  ///< vertices that are not isolated
  /// The vertices with stubs (ends of edges) in layer k, those of degree least * 2^k and more, are the first with_edges / 2^(k * step).
  unsigned step;
  unsigned layers = 0;
  std::uint64_t starts[most_layers + 1] = {};  ///< number of stubs (ends of edges) in the layers before each layer

  /// Precondition: at most 2^44 vertices and a least degree of at most 1024, so that the number of stubs (ends of edges, 2^44 * 1024 in the
  /// first layer and at most half as many in each later one) fits 64 bits.
  configuration_edges(std::uint64_t vertices, std::uint64_t least, unsigned exponent, random_stream random) noexcept
      : order{0, random}, with_edges{vertices}, step{exponent - 1} {
    for (; in_layer(layers) != 0; ++layers)
      starts[layers + 1] = starts[layers] + in_layer(layers) * (layers == 0 ? least : least << (layers - 1));
    order = permutation{starts[layers] / 2 * 2, random};
  }

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t in_layer(unsigned layer) const noexcept {
    return layer * step < 64 ? with_edges >> (layer * step) : 0;
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t vertex_of(std::uint64_t stub) const noexcept {
    unsigned layer = 0;
    while (stub >= starts[layer + 1]) ++layer;
    return (stub - starts[layer]) % in_layer(layer);
  }
  [[nodiscard]] std::uint64_t edges() const noexcept { return starts[layers] / 2; }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return {static_cast<Id>(vertex_of(order(2 * i))), static_cast<Id>(vertex_of(order(2 * i + 1)))};
  }

  static constexpr parameter parameters[] = {{"n", "vertices, 0 to 2^44", ""},
                                             {"isolated", "share of vertices without edges, 0 to 1", ".9"},
                                             {"least", "smallest degree of the others, 1 to 1024", "1"},
                                             {"exponent", "power with which the share of a degree falls, 2 to 4", "3"}};
  static constexpr family described{"configuration",
                                    "random matching of the stubs of a power law of degrees; a share of the vertices is isolated",
                                    "Bollobas: A probabilistic proof of an asymptotic formula for the number of labelled regular graphs, "
                                    "Eur. J. Comb. 1980; Molloy, Reed: A critical point for random graphs with a given degree sequence, "
                                    "Random Struct. Algorithms 1995",
                                    parameters};
  static amount<configuration_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_dense_vertices);
    const configuration_edges edges{n - s.share("isolated").of(n), s.integer("least", 1, 1024),
                                    static_cast<unsigned>(s.integer("exponent", 2, 4)), stream_of(s, purpose::edges)};
    return {edges, n, edges.edges()};
  }
};

}  // namespace copse::gen
