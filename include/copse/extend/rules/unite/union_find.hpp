// The textbook union-find with path halving and linking by id. For one thread only, because it links by a plain store.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/no_link.hpp>

#include <string_view>

namespace copse::unite {

struct union_find {
  static constexpr std::string_view name = "union_find";
  static constexpr std::string_view summary = "sequential union-find with path halving";
  static constexpr rule_traits traits{.concurrent = false};

  template <class P, class OnLink = no_link>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id u, typename P::id v, OnLink on_link = {}) const {
    const auto x = find::halve{}(p, u), y = find::halve{}(p, v);
    if (x == y) return x;
    const auto high = x < y ? y : x, low = x < y ? x : y;
    p.store(high, p.link(low));
    on_link(high, low);
    return low;
  }
};

}  // namespace copse::unite
