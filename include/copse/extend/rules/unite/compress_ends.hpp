// What Rem's rules and `early` may do after a link: run a find from both ends, for the sake of the paths it shortens.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rules/find/by_swap.hpp>
#include <copse/extend/rules/find/naive.hpp>

#include <concepts>
#include <type_traits>

namespace copse::unite {

/// `naive` shortens nothing, so it is not even run. `MovesSubtrees`: the rule's splice moves vertices from tree to tree.
template <class Find, bool MovesSubtrees = false, class P>
COPSE_HOST_DEVICE void compress_ends(P p, typename P::id u, typename P::id v) {
  if constexpr (!std::same_as<Find, find::naive>) {
    using shortening = typename std::conditional_t<MovesSubtrees, std::type_identity<find::by_swap<Find>>, std::type_identity<Find>>::type;
    shortening{}(p, u);
    shortening{}(p, v);
  }
}

}  // namespace copse::unite
