// The fast path as the table knows it: a name for each of its two routes on rows, sampled (hb) and not, and for that on lists. Its code is
// in src/fast, outside the framework of samplers and finishes, because its steps do not separate into the two.
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
