// The table of ways to find weighted forests, and which of them auto takes.
#pragma once
#include <weighted/forest_code.hpp>

#include <string>
#include <string_view>

namespace copse::weighted {

enum class device : std::uint8_t { serial, threads, cuda };

struct table_entry {
  weighted_forest_variant described;
  device where;
  algorithm method;
};

/// The variant of that name. Throws usage_error with the known names.
const table_entry& entry_named(std::string_view name);

/// A name of the table, and why.
struct choice {
  std::string_view name;
  std::string why;
};
choice choose(unsigned threads);

}  // namespace copse::weighted
