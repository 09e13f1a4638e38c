// What Rem's rules and `early` may do after a link: run a find from both ends, for the sake of the paths it shortens.
#pragma once
#include <copse/core/host_device.hpp>
#include <copse/rules/find/naive.hpp>

#include <concepts>

namespace copse::unite {

/// `naive` shortens nothing, so it is not even run.
template <class Find, class P>
COPSE_HOST_DEVICE void compress_ends(P p, typename P::id u, typename P::id v) {
  if constexpr (!std::same_as<Find, find::naive>) {
    Find{}(p, u);
    Find{}(p, v);
  }
}

}  // namespace copse::unite
