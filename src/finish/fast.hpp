// The fast path as the table knows it: a name for each of its two routes, sampled (hb) and not. Its code is in src/fast, outside the
// framework of samplers and finishes, because its steps do not separate into the two.
#pragma once
#include <copse/extend/rule_traits.hpp>

#include <string_view>

namespace copse::finish {

struct own {
  static constexpr std::string_view name = "fast";
  static constexpr std::string_view summary = "the fast path: early exit on joining the giant, or unites chunk by chunk";
  static constexpr rule_traits traits{.needs_rows = true, .fast_path = true};
};

}  // namespace copse::finish
