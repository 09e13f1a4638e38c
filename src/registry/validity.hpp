// Which combinations make no sense, and why: derived from what rules declare.
#pragma once
#include <copse/core/rule_traits.hpp>
#include <copse/registry/variants.hpp>

#include <string_view>

namespace copse::registry {

/// Empty when the combination is valid.
constexpr std::string_view refusal_of(const rule_traits& traits, bool backend_is_concurrent, bool samples, input_kind input) noexcept {
  if (backend_is_concurrent && !traits.concurrent) return "it is for one thread only: between its load and its store nothing may change";
  if (samples && input == input_kind::coo) return "an edge list has no rows to sample arcs from";
  if (traits.needs_rows && input == input_kind::coo) return "it walks rows, which an edge list does not have";
  if (samples && !traits.root_based) return "it does not start from the sampled forest, so sampling would be wasted";
  return {};
}

}  // namespace copse::registry
