// Tables of variants that are asked for by name. An entry has `described`, what is public of it, with a `name`.
#pragma once
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace copse {

/// Throws usage_error, which lists the names.
template <class Entry, std::size_t Count>
const Entry& entry_of_name(const Entry (&table)[Count], std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const Entry& entry) { return entry.described.name; });
  if (found != std::end(table)) return *found;
  std::string known = "auto";
  for (const Entry& entry : table) known.append(", ").append(entry.described.name);
  throw usage_error{"variant: found " + std::string{name} + ", expected one of " + known};
}

/// What is public of all entries, in their order.
template <class Entry, std::size_t Count>
auto descriptions_of(const Entry (&table)[Count]) {
  std::array<decltype(Entry::described), Count> described;
  std::ranges::transform(table, described.begin(), &Entry::described);
  return described;
}

}  // namespace copse
