// The entry of the fast path in the table of variants: a name for its sampled route on rows (hb), its unsampled route on rows, and its
// route on lists. Its code is in src/fast, outside the framework of samplers and finishes, because its steps do not separate into a sampler
// and a finish.
#pragma once
#include <copse/extend/rule_traits.hpp>

#include <string_view>

namespace copse::finish {

struct fast_path {
  static constexpr std::string_view name = "fast";
  static constexpr std::string_view summary =
      "the fast path: early exit on joining the giant, or unites chunk by chunk; lists past the giant";
  static constexpr rule_traits traits{.fast_path = true};
};

}  // namespace copse::finish
