// What a valid variant of incremental connectivity can do beside inserting, on any backend.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/halve.hpp>

#include <string_view>

namespace copse::variant {

/// Of a valid variant. Empty when queries may run concurrently with its inserts.
constexpr std::string_view concurrent_refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (traits.synchronous)
    return "it inserts in rounds, between which no moment exists that an answer could be of: insert first, then query";
  if (traits.moves_subtrees && backend_is_concurrent) {
    return "splice_atomic cuts a vertex from its tree for a moment: insert first, then query";
  }
  return {};
}

/// Of a valid variant. Empty when it can say which edge made a link.
constexpr std::string_view forest_refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (traits.synchronous) return "it hooks by an atomic minimum, where no edge wins";
  if (traits.moves_subtrees && backend_is_concurrent) {
    return "splice_atomic moves a subtree before the roots join: one edge may be recorded twice and another lost";
  }
  return {};
}

/// The find that queries use: the rule's, or halving where the rule has none.
template <class Rule>
struct query_find {
  using type = find::halve;
};
template <class Rule>
requires requires { typename Rule::find_rule; }
struct query_find<Rule> {
  using type = typename Rule::find_rule;
};

}  // namespace copse::variant
