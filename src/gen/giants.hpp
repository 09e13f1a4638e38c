// Several large components of one size. Each has consecutive ids, the edges of a random recursive tree, and random pairs of its vertices,
// which include loops and repeats.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct giant_edges {
  random_stream random;
  std::uint64_t size, per_giant;  ///< numbers of vertices and edges of one component

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t first = i / per_giant * size, j = i % per_giant;
    if (j < size - 1) return {static_cast<Id>(first + j + 1), static_cast<Id>(first + random.below(2 * i, j + 1))};
    return {static_cast<Id>(first + random.below(2 * i, size)), static_cast<Id>(first + random.below(2 * i + 1, size))};
  }

  static constexpr parameter parameters[] = {{"k", "components, 1 to 2^20", ""},
                                             {"size", "vertices of each, 1 to 2^36", ""},
                                             {"edges", "random edges per vertex in addition to a tree, 0 to 100", "3"}};
  static constexpr family described{"giants", "k components of the same size, each a random tree and random edges", by_definition,
                                    parameters};
  static amount<giant_edges> make(const spec& s) {
    const std::uint64_t k = s.integer("k", 1, std::uint64_t{1} << 20), size = s.integer("size", 1, std::uint64_t{1} << 36);
    const std::uint64_t per_giant = size - 1 + size * s.integer("edges", 0, 100);
    return {{stream_of(s, purpose::edges), size, per_giant}, k * size, k * per_giant};
  }
};

}  // namespace copse::gen
