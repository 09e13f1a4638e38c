// Lists as a function of a place: the element at place i of an order of all elements, and whether a list ends there. One text for host and
// device.
#pragma once
#include <core/permutation.hpp>

#include <cstdint>

namespace copse::gen {

struct list_places {
  permutation order;  ///< of the elements
  permutation cuts;   ///< of the places but the last: the first `lists` - 1 of them end a list
  std::uint64_t n, lists;
  bool in_order;

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t element(std::uint64_t place) const noexcept { return in_order ? place : order(place); }
  [[nodiscard]] COPSE_HOST_DEVICE bool ends(std::uint64_t place) const noexcept {
    return place + 1 == n || (lists > 1 && cuts(place) < lists - 1);
  }
};

}  // namespace copse::gen
