// Tables of variants, each with a backend and an algorithm, which are looked up by name.
#pragma once
#include <copse/errors.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace copse {

/// The description of a variant for users; each entry of a table has one as `described`. The name is `backend.algorithm`.
struct named_variant {
  std::string_view name, backend, algorithm;
  std::string_view summary;  ///< one line about the algorithm
};

/// The text of the error for an unknown name, which lists all names.
template <class Entry>
std::string unknown_name(std::span<const Entry> table, std::string_view name) {
  std::string known = "auto";
  for (const Entry& entry : table) known.append(", ").append(entry.described.name);
  return "there is no variant " + std::string{name} + "; use one of " + known;
}

/// The entry with this name. Throws usage_error, with a list of all names, if there is none.
template <class Entry>
const Entry& entry_of_name(std::span<const Entry> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const Entry& entry) { return entry.described.name; });
  if (found == table.end()) throw usage_error{unknown_name(table, name)};
  return *found;
}

}  // namespace copse
