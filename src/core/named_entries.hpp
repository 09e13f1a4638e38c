// Tables of variants that are a backend and an algorithm each, and are asked for by name.
#pragma once
#include <copse/errors.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace copse {

/// What users see of such a variant; each entry of a table has one as `described`. The name is `backend.algorithm`.
struct named_variant {
  std::string_view name, backend, algorithm;
  std::string_view summary;  ///< one line about the algorithm
};

/// The text of an error about a name that no entry has: it lists the names.
template <class Entry>
std::string unknown_name(std::span<const Entry> table, std::string_view name) {
  std::string known = "auto";
  for (const Entry& entry : table) known.append(", ").append(entry.described.name);
  return "there is no variant " + std::string{name} + "; use one of " + known;
}

/// The entry of that name. Throws usage_error, which lists the names.
template <class Entry>
const Entry& entry_of_name(std::span<const Entry> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const Entry& entry) { return entry.described.name; });
  if (found == table.end()) throw usage_error{unknown_name(table, name)};
  return *found;
}

}  // namespace copse
