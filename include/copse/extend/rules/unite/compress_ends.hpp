// An optional step of Rem's rules and `early` after a link: a find from both ends, which shortens their paths.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rules/find/by_swap.hpp>
#include <copse/extend/rules/find/naive.hpp>

#include <concepts>
#include <type_traits>

namespace copse::unite {

/// Runs the find rule `Find` from u and v to shorten their paths, unless it is `naive`, which shortens none. `MovesSubtrees`: true if the
/// unite rule may move a vertex to another tree; a plain store could undo that, so that paths are shortened by compare-and-swap.
template <class Find, bool MovesSubtrees = false, class P>
COPSE_HOST_DEVICE void compress_ends(P p, typename P::id u, typename P::id v) {
  if constexpr (!std::same_as<Find, find::naive>) {
    using shortening = typename std::conditional_t<MovesSubtrees, std::type_identity<find::by_swap<Find>>, std::type_identity<Find>>::type;
    shortening{}(p, u);
    shortening{}(p, v);
  }
}

}  // namespace copse::unite
