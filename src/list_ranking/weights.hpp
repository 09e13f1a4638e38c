// Where weights come from: an array, or the links themselves, which count 1 each.
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstddef>

namespace copse::list_ranking {

/// weight(e, tail): `tail`: does a list end at e?
template <class V>
struct given_weights {
  using value = V;
  const V* weights;
  COPSE_HOST_DEVICE V operator()(std::size_t e, bool /*tail*/) const noexcept { return weights[e]; }
};

/// Every element counts the link behind it, so that the sum to the end is a distance: tails have none.
template <class V>
struct link_weights {
  using value = V;
  COPSE_HOST_DEVICE V operator()(std::size_t /*e*/, bool tail) const noexcept { return tail ? 0 : 1; }
};

}  // namespace copse::list_ranking
