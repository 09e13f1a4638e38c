// Linking by randomised rank (Jayanti, Tarjan, Boix-Adsera 2019): a root of lower rank is linked under one of higher rank. Between equal
// ranks a coin decides: the root with the larger id is linked under the other, or the other's rank is raised first. Rank and parent share
// one word, so the swap succeeds only if the rank is still the one that was compared. Invariant: (rank, smaller id first) grows along every
// path, because only roots raise their rank; so there is no cycle. Roots need not be the smallest vertices of their trees: canonical labels
// need one more pass. After a failed swap it finds again, so loads must be fresh: a stale root would be found forever.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace copse::unite {

template <class Find>
struct jtb {
  static constexpr std::string_view name = "jtb";
  static constexpr std::string_view summary = "linking by randomised rank (Jayanti, Tarjan, Boix-Adsera)";
  static constexpr rule_traits traits{.minimal_roots = false, .fresh_loads = true, .aux = aux_array::ranks};
  using find_rule = Find;

  /// P accesses words that hold rank and parent (`ranked` in src/parents/aux_arrays.hpp).
  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    for (;;) {
      u = Find{}(p, u);
      v = Find{}(p, v);
      if (u == v) return u;
      auto low = p.load(u), high = p.load(v);
      if (!p.is_root(u, low) || !p.is_root(v, high)) continue;
      const auto rank = p.rank(low);
      if (rank > p.rank(high) || (rank == p.rank(high) && u < v)) {
        std::swap(u, v);
        std::swap(low, high);
      }
      if (p.rank(low) == p.rank(high) && heads(u, v)) {
        p.cas(v, high, p.raised(high));
      } else if (p.cas(u, low, p.link(v)).ok) {
        on_link(u, v);
        return v;
      }
    }
  }

private:
  // A pseudo-random coin that depends only on the two roots. After a raise the ranks differ, so no pair needs a second toss.
  template <class Id>
  COPSE_HOST_DEVICE static bool heads(Id u, Id v) noexcept {
    const std::uint64_t mixed = (std::uint64_t{u} * 0x9E3779B97F4A7C15u) ^ (std::uint64_t{v} * 0xC2B2AE3D27D4EB4Fu);
    return ((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9u) >> 63 != 0;
  }
};

}  // namespace copse::unite
