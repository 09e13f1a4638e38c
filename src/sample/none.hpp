// No sampling: the finish sees every arc.
#pragma once
#include <string_view>

namespace copse::sample {

struct none {
  static constexpr std::string_view name = "none";
};

}  // namespace copse::sample
