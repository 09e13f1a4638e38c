// Preferential attachment. Slots 2i and 2i + 1 hold the two ends of edge i: the vertex i / k, and a copy of a slot drawn uniformly from all
// earlier slots, so that a vertex is chosen in proportion to its degree. The copied slot is found by retracing the draws, which takes two
// steps on average, instead of from a stored array, so that all edges can be made independently.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct ba_edges {
  random_stream random;
  std::uint64_t per_vertex;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    std::uint64_t slot = 2 * i + 1;
    while (slot % 2 == 1) slot = random.below(slot / 2, slot);
    return {static_cast<Id>(i / per_vertex), static_cast<Id>(slot / 2 / per_vertex)};
  }

  static constexpr parameter parameters[] = {{"n", "vertices", ""}, {"k", "edges that every vertex brings, 1 to 65536", "8"}};
  static constexpr family described{
      "ba", "preferential attachment: power law of exponent 3, one component",
      "Barabasi, Albert: Emergence of scaling in random networks, Science 1999; made as in Batagelj, Brandes: "
      "Efficient generation of large random networks, Phys. Rev. E 2005, and Sanders, Schulz: Scalable "
      "generation of scale-free graphs, IPL 2016 (loops and repeats occur)",
      parameters};
  static amount<ba_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_dense_vertices);
    const std::uint64_t k = s.integer("k", 1, 65536);
    return {{stream_of(s, purpose::edges), k}, n, n * k};
  }
};

}  // namespace copse::gen
