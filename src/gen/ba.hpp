// Preferential attachment. Slots 2i and 2i + 1 hold the two ends of edge i: the vertex i / k that brings it, and a copy of a slot drawn
// uniformly from those before it, so a vertex is chosen in proportion to its degree. The slot copied is found by retracing the draws, which
// takes two steps on average, instead of by a stored array: no edge waits for another.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>

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
};

}  // namespace copse::gen
